#!/bin/bash
# Prolog and epilog: a node that a quick test judges bad is drained with the reason, and takes no further job.
#   slurm.conf:  Prolog=/etc/slurm/gate-node.sh   Epilog=/etc/slurm/gate-node.sh   PrologFlags=Alloc   BatchStartTimeout=120
#                SchedulerParameters=nohold_on_prolog_fail   (else a job that met a bad node is held, and no deadline ends it)
# The test runs at most once in GPUMARK_GATE_HOURS (24) on a node; a baseline of the node, if there is one, is what it is
# judged by (`gpumark-agent --json > FILE` on a day when it was well).
# Settings: /etc/gpumark/gate.conf (GPUMARK_AGENT, GPUMARK_GATE_HOURS, GPUMARK_GATE_SECONDS, GPUMARK_BASELINE, GPUMARK_REQUIRE,
# GPUMARK_GATE_STATE).
set -u
[ -r "${GPUMARK_GATE_CONF:-/etc/gpumark/gate.conf}" ] && . "${GPUMARK_GATE_CONF:-/etc/gpumark/gate.conf}"
agent=${GPUMARK_AGENT:-/usr/local/bin/gpumark-agent}
state=${GPUMARK_GATE_STATE:-/var/lib/gpumark/gate}
hours=${GPUMARK_GATE_HOURS:-24}
baseline=${GPUMARK_BASELINE:-/var/lib/gpumark/baseline.json}
node=${SLURMD_NODENAME:-$(hostname -s)}
mkdir -p "$state"
good=$state/$node.good

# Jobs that begin on one node at a time test it once.
exec 9>"$state/$node.lock"
flock 9
[ -n "$(find "$good" -mmin "-$((hours * 60))" 2>/dev/null)" ] && exit 0

arguments=(--json --max-seconds "${GPUMARK_GATE_SECONDS:-20}")
[ -r "$baseline" ] && arguments+=(--baseline "$baseline")
# What a node must reach: `gpumark-agent help require`. Below it the agent ends with 8.
[ -r "${GPUMARK_REQUIRE:-}" ] && arguments+=(--require "$GPUMARK_REQUIRE")
unset GPUMARK_API_KEY
"$agent" "${arguments[@]}" > "$state/$node.json" 2> "$state/$node.log"
code=$?
case $code in
  # 3: completed with warnings.
  0 | 3) touch "$good"; exit 0 ;;
  5) reason='no usable device' ;;
  6) reason='a kernel failed or computed wrong' ;;
  8) reason='slower than its thresholds' ;;
  9) reason='a device or the machine is ill' ;;
  *) reason='the test did not end' ;;
esac
rm -f "$good"
scontrol update NodeName="$node" State=DRAIN Reason="gpumark: $reason (exit $code)"
# A prolog that fails requeues the job elsewhere; the node is drained by now.
exit 1
