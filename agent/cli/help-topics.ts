/** Texts of `gpumark-agent help TOPIC`, 80 columns at most. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes, and what to do:

    0  ok
    1  bug of the agent: report it with the text on stderr
    2  usage: read the sentence; --help
    3  completed with warnings, also if a GPU was lost, taken by others or is
       missing beside ones that work: read the lines marked !
    4  refused: token, job full or ended, machine delivered already, run ended
       by the coordinator; the sentence says which
    5  no usable device, a GPU that does not work, or every GPU taken or lost
       before it gave a figure: doctor; --device cpu for the processor
    6  the runner failed or a result was wrong: doctor; suspect the device
    7  coordinator unreachable; after measuring the result is in the spool:
       gpumark-agent upload
    8  a figure is below the file of --require: the lines marked ! say which
  129  stopped by SIGHUP
  130  stopped by SIGINT
  143  stopped by SIGTERM

What was measured before a signal is kept and delivered. The second signal kills
the runner and leaves at once; a second SIGHUP does not, since kernel and shell
both tell of a lost terminal. Node undoes what nohup sets: for a run that
outlives its terminal use setsid, tmux or a service. Output that cannot be
written (a closed pipe, a full log disk) ends no run and no upload.`,

  environment: `Environment; an option counts before its variable:

  GPUMARK_API_KEY          the job token
  GPUMARK_COORDINATOR      --coordinator
  GPUMARK_CA               --ca
  GPUMARK_MACHINE_ID       --machine-id: settles which machine this is
  GPUMARK_LOCATION         --location
  GPUMARK_STATE_DIR        where results wait and soaks are kept; else
                           XDG_STATE_HOME/gpumark, ~/.local/state/gpumark or
                           $TMPDIR/gpumark-UID, the first that can be written
                           and is the user's alone
  XDG_CACHE_HOME           where the runner is unpacked; must allow programs
  GPUMARK_NET_PORT_RANGE, GPUMARK_NET_INTERFACE, GPUMARK_NET_PUBLIC
                           --net-port-range, --net-interface, --net-public
  NO_COLOR, FORCE_COLOR    colours of the output
  CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES
                           choose among the cards

A machine is known by the first of: DMI product UUID, board serial (both root
only), /etc/machine-id, the lowest address of a physical network card, a random
id in the state directory. Root and another user may differ on one machine, and
containers of one host that see its DMI data are one machine:
GPUMARK_MACHINE_ID settles it.`,

  token: `The job token, best first:

  GPUMARK_API_KEY=TOKEN    shown to this user and root in /proc/PID/environ
  --api-key-file FILE      no rights for other users, at most 16 KiB;
                           /run/secrets and pipes are taken as they are
  -api-key TOKEN, TOKEN    in /proc for all users until the agent wipes it, some
                           40 ms on an idle machine; shell, sudo and launchers
                           in front show it for as long as they run

Nothing that the agent starts inherits the token and nothing it prints holds it.
A result that waits in the spool is kept with it, mode 0600.

--ca FILE: PEM certificates to trust for the coordinator in addition to the
usual ones. A certificate that is not trusted ends the run at once with 7.`,

  devices: `--device auto takes every usable GPU, and the processor only on a machine
without a GPU. If a card is on the PCI bus and its driver shows none or an
error, the run ends with 5 and says what to do: the processor's figures would
pass for the machine's. --device cpu measures the processor on purpose.

Beside working cards, one in an error state or one that the driver does not
show is a warning (exit 3). Cards hidden by CUDA_VISIBLE_DEVICES and the like,
or not given to this container, are mentioned and are not a warning; nor are
graphics inside a processor (less than 2 GiB of their own).

Each device is measured alone, one after the other: the headline figures. Two or
more GPUs are then measured all at once (memory, fma, link: "with all GPUs at
work"), and the copies between every two. --tier quick takes 36 + 10 + 10 s for
up to 16 GPUs, standard 15 min, soak hours; --max-seconds shortens all of it.`,

  output: `--output live       a table on stderr that is redrawn, the summary on stdout
--output plain      a line per event on stderr, the summary on stdout
--output json       one JSON object per line on stdout, the summary last
--output classic    trace id, log lines, then the task's detail as one document

Without it: live if stderr is a terminal, else plain. --json is short for
--output json. Fields of the events: agent/run/run-event.ts; new ones may be
added, so readers skip what they do not know.`,

  require: `--require FILE ends with 8 if a figure of a device is below a threshold:

  {"thresholds": [
    {"metric": "memory_bandwidth_gbs", "least": 3000},
    {"metric": "bf16_tflops", "share_of_peak": 0.6}
  ]}

least is in the metric's unit (TFLOP/s, GB/s, GHz). share_of_peak, of
throughputs, is a share from 0 to 1 of the dense rate that the maker publishes.
Every device that was measured must reach each; a figure that was not measured,
is not plausible, or has no published rate reaches none. Names of metrics:
gpumark-agent list --json. The result of a job is delivered all the same.`,

  soak: `--tier soak measures for hours, one benchmark after the other, and writes each
to the state directory. A run of the same job on the same machine that was
stopped or killed goes on there; "resumed" in the summary says how often. Under
another --engine it is refused (exit 2). A journal of other hardware, another
version of the agent, or more than 7 days old is left aside, with a notice. All
GPUs at once and the copies are measured again. Once a job has the result of a
stopped soak, it takes no other of that machine. Power is that of the heaviest
load, energy the sum, temperature the maximum.`,

  verdicts: `✓ no rule tripped  ! doubtful  ✗ wrong or not plausible  - not measured

  verification   ✗ the result differs from its reference: no value is shown
  absence        - with the reason; a warning if measuring failed
  spread         ! standard deviation above 5 % of the mean on a card, 8 % of
                   its matrix products (their clock follows the power), 10 % on
                   a processor and for the launch overhead
  core share     ! the threads had their cores for less than 90 % of the time
  spec band      ✗ above what data sheet or link allows, ! below what healthy
                   cards reach; of whole, known models only
  peers          ! 3 %, ✗ 5 % behind the median of the cards of one model here;
                   of two cards that differ by 5 % both !
  baseline       ! 3 %, ✗ 5 % worse than in --baseline FILE (--json output, a
                   summary, an upload, a file of the spool)
  engines        ! library and own kernels more than 15 % apart
  throttle       ! thermal or hardware slowdown, power brake; the software power
                   cap alone is normal
  ecc            ✗ uncorrected errors during the run
  driver error   ! an Xid was logged
  energy counter ! counter and power over time more than 10 % apart
  copies         ! 3 %, ✗ 5 % behind pairs with the same path (NVLink, xGMI),
                   10 % and 25 % on paths through the host

The worst verdict counts; of equal ones the first rule's. A warning of the run
(exit 3) is a ✗ of any device, or a ! of a card: on a processor other programs
are normal company. Figures of different engines are not compared. With --engine
auto the library's figure is the headline if it is there and right.`,
};
