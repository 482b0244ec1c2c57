/** Texts of `gpumark-agent help TOPIC`, 80 columns at most. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes, and what to do:

    0  ok
    1  bug of the agent: report it with the text on stderr
    2  usage: read the message; --help
    3  completed with warnings, also if a GPU was lost, in use by others or
       missing beside working ones: read the lines marked !
    4  refused: token, job full or ended, machine has already delivered, run
       ended by the coordinator; the message says which
    5  no usable device, a GPU that does not work, or every GPU in use or lost
       before it had a figure: doctor; --device cpu for the processor
    6  the runner failed or a result was wrong: doctor; suspect the device
    7  coordinator unreachable; after measuring the result is in the spool:
       gpumark-agent upload
    8  a figure is below a threshold of --require: see the lines marked !
  129  stopped by SIGHUP
  130  stopped by SIGINT
  143  stopped by SIGTERM

Results measured before a signal are kept and delivered. The second signal kills
the runner and exits at once; a second SIGHUP does not, since kernel and shell
both send one when a terminal is lost. Node undoes what nohup sets: for a run
that outlives its terminal use setsid, tmux or a service. Output that cannot be
written (a closed pipe, a full log disk) does not end a run or an upload.`,

  environment: `Environment; an option overrides its variable:

  GPUMARK_API_KEY          the job token
  GPUMARK_COORDINATOR      --coordinator
  GPUMARK_CA               --ca
  GPUMARK_MACHINE_ID       --machine-id: identity of this machine
  GPUMARK_LOCATION         --location
  GPUMARK_STATE_DIR        where results wait and soaks are kept; else
                           XDG_STATE_HOME/gpumark, ~/.local/state/gpumark or
                           $TMPDIR/gpumark-UID, the first that is writable
                           and private to the user
  XDG_CACHE_HOME           where the runner is unpacked; must allow programs
  GPUMARK_NET_PORT_RANGE, GPUMARK_NET_INTERFACE, GPUMARK_NET_PUBLIC
                           --net-port-range, --net-interface, --net-public
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY (or in lower case)
                           HTTP proxy for the calls to the coordinator and the
                           hosts reached without; --no-proxy ignores them
  NO_COLOR, FORCE_COLOR    colours of the output
  CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES
                           select cards

A relative path counts from the directory in which the agent was started, also
for the programs that it starts; a relative XDG directory is ignored.

A machine is identified by the first of: DMI product UUID, board serial (both
root only), /etc/machine-id, the lowest address of a physical network card, a
random id in the state directory. Vendors' placeholders count as none; beside a
sample UUID the serial counts together with the next id. Root and another user
may get different ids on one machine, and containers that see their host's DMI
data get the same id: set GPUMARK_MACHINE_ID then.`,

  token: `The job token, best first:

  GPUMARK_API_KEY=TOKEN    shown to this user and root in /proc/PID/environ
  --api-key-file FILE      no rights for other users, at most 16 KiB;
                           /run/secrets and pipes are not checked
  -api-key TOKEN, TOKEN    in /proc for all users until the agent wipes it:
                           about 40 ms on an idle machine; a shell, sudo or
                           launcher shows it for as long as it runs

No child process inherits the token, and the agent never prints it. A result
that waits in the spool is stored with it, mode 0600.

--ca FILE: PEM certificates to trust for the coordinator in addition to the
default ones. An untrusted certificate ends the run at once with 7.`,

  devices: `--device auto selects every usable GPU, and the processor only on a machine
without a GPU. If a card is on the PCI bus but its driver shows none or an
error, the run ends with 5 and a remedy: the processor's figures would be
mistaken for the machine's. --device cpu measures the processor on purpose.

Beside working cards, one in an error state or one that the driver does not
show is a warning (exit 3). Cards hidden by CUDA_VISIBLE_DEVICES and the like,
or not assigned to this container, are reported without a warning; graphics
integrated into a processor (less than 2 GiB of dedicated memory) are ignored.

Two or more GPUs are measured all at once, each for the time of one: these are
the headline figures. Then each alone in turn, which shows what it loses "with
all GPUs at work" (memory, fma, and bf16 beyond the quick tier) and what its
copies with the host reach, and the copies between every two GPUs. --tier quick
takes a minute for up to 16 GPUs, standard 15 min, soak 16 h for any number;
--max-seconds shortens all of it but a soak.`,

  output: `--output live       a table on stderr that is redrawn, the summary on stdout
--output plain      a line per event on stderr, the summary on stdout
--output json       one JSON object per line on stdout, the summary last
--output classic    trace id, log lines, then the task's detail as one document

Without it: live if stderr is a terminal, else plain. --json is short for
--output json. Fields of the events: agent/run/run-event.ts; new ones may be
added, so readers must skip unknown ones.`,

  require: `--require FILE ends with 8 if a figure of a device is below a threshold:

  {"thresholds": [
    {"metric": "memory_bandwidth_gbs", "least": 3000},
    {"metric": "bf16_tflops", "share_of_peak": 0.6}
  ]}

least is in the metric's unit (TFLOP/s, GB/s, GHz). share_of_peak, for
throughputs, is a share from 0 to 1 of the vendor's published dense rate. Every
measured device must reach each threshold; a figure that was not measured, is
implausible, or has no published rate fails. Names of metrics:
gpumark-agent list --json. The result of a job is delivered all the same.`,

  soak: `--tier soak measures for hours, one benchmark after the other, and writes each
to the state directory. After it was stopped or killed, a run of the same job on
the same machine resumes there; "resumed" in the summary counts that. With
another --engine it is refused (exit 2). A journal of other hardware, another
version of the agent, or more than 7 days old is ignored, with a notice. All
GPUs at once and the copies are measured again. Once a job has the result of a
stopped soak, it accepts no other from that machine. Power is that of the
heaviest load, energy the sum, temperature the maximum.`,

  verdicts: `✓ no rule tripped  ! doubtful  ✗ wrong or implausible  - not measured

  verification   ✗ the result differs from its reference: no value is shown
  absence        - with the reason; a warning if measuring failed
  spread         ! standard deviation above 5 % of the mean on a card, 8 % of
                   its matrix products (their clock follows the power), 10 % on
                   a processor and for the launch overhead
  core share     ! the threads had their cores for less than 90 % of the time
  spec band      ✗ above what data sheet or link allow, ! below what healthy
                   cards reach; for complete cards of known models only
  lanes          ! multiply-adds below 95 % of lanes x counted clock (H100 SXM
                   and H200)
  peers          ! 3 %, ✗ 5 % below the median of the node's cards of the model;
                   products and issue peaks 9 and 10 %, since healthy chips
                   differ at their power cap, brief ones 14 and 15 %, copies
                   with the host 11 and 25 %; of two cards, both !
  baseline       ! 4 %, ✗ 5 % worse than in --baseline FILE (--json output, a
                   summary, an upload, a file of the spool); products of other
                   cards ! 11 %, ✗ 12 %
  engines        a remark: library and own kernels more than 15 % apart
  throttle       ! thermal or hardware slowdown, power brake; the software power
                   cap alone is normal
  ecc            ✗ uncorrected errors during the run
  driver error   ! an Xid was logged
  energy counter ! counter and power over time more than 10 % apart
  copies         ! fewer links than the model's board has, no NVLink on it, or
                   below 60 to 80 % of their rate; 3 % (✗ 5 %) below other
                   pairs with NVLink or xGMI, 10 % and 25 % through the host

The worst verdict counts; among equal ones the first rule's. A ✗ of any device
or a ! of a card is a warning of the run (exit 3); on a processor other programs
are normal. Figures of different engines are not compared. With --engine auto
the library's figure is the headline if it is installed and right.

Products, FMA and issue peaks are compared within one class of load only:
sustained (after 1.6 s of it, over 1.2 s), settled (two minutes, drift within
2 %), burst (first 0.25 s after a rest, beside the headline with its n). A brief
one is shorter, as with --max-seconds, and is compared with no other run.`,
};
