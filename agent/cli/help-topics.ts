import { ruleThemes } from '../../coordinator/figures/health-rules.ts';
import {
  actionWords,
  conditionWords,
  type HealthRule,
  plainSays,
  whoseWords,
} from '../../coordinator/figures/health/rule.ts';
import { wrapText } from '../ui/text-width.ts';

const INTRODUCTION = `Health of cards and machine, judged beside the figures by the rules below: by
this agent, and again by the coordinator.

  info      worth knowing, nothing to do
  warning   usable, but act: a problem to check (exit 3), and the job ends
            completed_with_warnings
  critical  bad: not usable before the action is done (exit 9). The figures are
            kept and delivered, the task of the job fails

A signal that cannot be read is never taken for healthy: --json lists it under
health_not_read with the reason. Each rule: name, signal and condition; what it
finds; the action; document and section it rests on, and how sure that is: read
(in the vendor's document or in two that agree), one page, or memory.`;

/** The whole table of health rules, 80 columns at most. */
const healthTopic = (): string =>
  [INTRODUCTION, ...ruleThemes.map(({ theme, rules }) => `${theme}\n\n${rules.map(ruleText).join('\n')}`)].join('\n\n');

function ruleText(rule: HealthRule): string {
  const { id, severity, signal, action, source } = rule;
  const lines = [
    `${signal}: ${conditionWords(rule)}${whoseWords(rule) === '' ? '' : ` (${whoseWords(rule)})`}`,
    `${severity}: ${plainSays(rule)}; ${actionWords[action]}`,
    `${source.document}: ${source.section} (${source.confidence})`,
  ];
  return [`  ${id}`, ...lines.flatMap((line) => wrapText(line, 74).map((part) => `      ${part}`))].join('\n');
}

/** Texts of `gpumark-agent help TOPIC`, 80 columns at most. */
export const topics: Readonly<Record<string, string>> = {
  health: healthTopic(),

  'exit-codes': `Exit codes, and what to do:

    0  ok
    1  bug of the agent: report it with the text on stderr
    2  usage: read the message; --help
    3  completed, and there are problems, bad or to check, also if a GPU was
       lost, in use by others or missing beside working ones: the summary lists
       them, worst first, each with what to do
    4  refused: token, job full or ended, machine has already delivered, run
       ended by the coordinator; the message says which
    5  no usable device, a GPU that does not work, or every GPU in use or lost
       before it had a figure: doctor; --device cpu for the processor
    6  the runner failed or a result was wrong: doctor; suspect the device
    7  coordinator unreachable; after measuring the result is in the spool:
       gpumark-agent upload
    8  a figure is below a threshold of --require: see the problems
    9  a device or the machine is ill: a critical health finding. Its figures
       are kept and delivered, and the job's task fails: do what the finding
       says, then measure again; help health has the rules
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
  CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES,
  GPU_DEVICE_ORDINAL       select cards; one that hides all of them ends the
                           run with 5
  NVIDIA_VISIBLE_DEVICES   in a container: the cards assigned to it

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
without a GPU. If the PCI bus, a driver's library or a device file (/dev/dxg,
/dev/nvhost*) shows that there is one, but the driver shows none or an error,
the run ends with 5, the cause and a remedy: the processor's figures would be
mistaken for the machine's. --device cpu measures the processor on purpose.

Beside working cards, one in an error state or one that the driver does not
show is a warning (exit 3). Cards hidden by CUDA_VISIBLE_DEVICES and the like,
by a device rule (cgroup) or in a container, to which they are not assigned,
and those of virtual machines are reported without a warning; graphics inside
a processor (less than 2 GiB of dedicated memory) are ignored.

Two or more GPUs are measured all at once, each for the time of one: these are
the headline figures. Then each alone in turn, which shows what it loses "with
all GPUs at work" (memory; fma and bf16 beyond the quick tier) and what its
copies with the host reach, and the copies between every two GPUs. --tier quick
takes a minute for up to 16 GPUs, standard 15 min, soak 16 h for any number;
--max-seconds shortens all of it but a soak.`,

  output: `--output live       a table on stderr that is redrawn, the summary on stdout
--output plain      a line per event on stderr, the summary on stdout
--output json       one JSON object per line on stdout, the summary last
--output classic    trace id, log lines, then the task's detail as one document

The summary has one line per figure; of several GPUs of one model the median,
the least and the most. --verbose has each GPU, every remark, and what was not
measured with all reasons. In JSON, \`judgement\` is the verdict with every
problem, its action and what was not measured, and \`warnings\` every problem as
a sentence.

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

  verdicts: `The summary begins and ends with the verdict: good, check, bad or not measured.
It is that of the worst problem, the same as on the page and in the report of a
job, and --json has it as \`judgement\` of the summary. Marks:

  ✓ good  i good, with a remark  ! to check  ✗ bad  - not measured

  verification   ✗ the result differs from its reference: no value is shown
  absence        - with the reason; ! if measuring failed
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
  ecc            ✗ uncorrected errors during the run: the memory bandwidth
  energy counter ! counter and power over time more than 10 % apart
  settled        a remark: first and last quarter of the series 2 % apart
  copies         ! fewer links than the model's board has, no NVLink on it, or
                   below 60 to 80 % of their rate; 3 % (✗ 5 %) below other
                   pairs with NVLink or xGMI, 10 % and 25 % through the host;
                   also a pair whose copy failed

Health (errors, links, clocks, settings) is judged beside the figures: see help
health. The worst verdict counts; among equal ones the first rule's. Each ✗ and
each ! is a problem of the run (exit 3). On a processor spread, core share and
issue rate are remarks, since other programs are normal there. Figures of
different engines are not compared. With --engine auto the library's figure is
the headline if it is installed and right.

Products, FMA and issue peaks are compared within one class of load only:
sustained (after 1.6 s of it, over 1.2 s), settled (two minutes, drift within
2 %), burst (first 0.25 s after a rest, beside the headline with its n). A brief
one is shorter, as of FMA and issue peaks in the quick tier, or with
--max-seconds, and is compared with no other run.`,
};
