import { Command, Option } from 'commander';
import type { Host } from '../run/host.ts';
import { ENGINES, TIERS } from '../run/run-options.ts';
import type { ParsedFlags } from './options.ts';
import { versionText } from './version.ts';

const EXIT_CODES = `
Exit codes:
  0 ok                          5 no usable device
  1 bug                         6 kernel failed or wrong result
  2 usage                       7 coordinator unreachable: result in the spool
  3 completed with warnings     8 below thresholds
  4 refused by the coordinator  129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM

The job token, best first: GPUMARK_API_KEY in the environment, --api-key-file,
-api-key or the only argument, which other users may see in ps while the program
starts.

Environment: GPUMARK_API_KEY, GPUMARK_COORDINATOR, GPUMARK_CA,
GPUMARK_MACHINE_ID, GPUMARK_LOCATION, GPUMARK_STATE_DIR, GPUMARK_NET_PORT_RANGE,
GPUMARK_NET_INTERFACE, GPUMARK_NET_PUBLIC, XDG_STATE_HOME, XDG_CACHE_HOME,
NO_COLOR, FORCE_COLOR; CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES and
HIP_VISIBLE_DEVICES choose among the cards.`;

/** The commander tree. Actions load what they need when they run, so that --version and --help stay quick. */
export function buildProgram(host: Host, done: (exitCode: number) => void): Command {
  const program = new Command('gpumark-agent');
  program
    .description('Measures this machine: for a job with its token, or as a quick test that is not saved without one.')
    .argument('[token]', 'job token, as the only argument (containers)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  addOptions(program);
  program.action(async (token: string | undefined) => {
    const flags = program.opts<ParsedFlags & { version?: boolean }>();
    if (flags.version === true) host.stdout.write(`${versionText(host.installation)}\n`);
    else done(await runDefault(host, flags, token));
  });
  program
    .command('doctor')
    .description('say what this machine has, what is missing and how to get it')
    .action(async () => {
      const { doctor } = await import('./doctor-command.ts');
      done(await doctor(host, program.opts()));
    });
  program
    .command('upload')
    .description('deliver the results that wait in the spool')
    .option('--quarantined', 'try those once more that were refused before')
    .action(async (flags: { quarantined?: boolean }) => {
      const { upload } = await import('./upload-command.ts');
      done(await upload(host, { ...program.opts<ParsedFlags>(), ...flags }));
    });
  program
    .command('completion')
    .description('print a completion script for the shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion.ts');
      host.stdout.write(completionScript(program, shell));
    });
  return program;
}

function addOptions(program: Command): void {
  program
    .option('--api-key-file <path>', 'file that holds the job token, readable by you alone (or set GPUMARK_API_KEY)')
    .option('--api-key <token>', 'job token (also -api-key), in sight of others while the program starts')
    .option('--coordinator <url>', 'address of the coordinator, when it is not the one in the token')
    .option('--ca <file>', 'certificates (PEM) to trust for the coordinator beside the usual ones (also GPUMARK_CA)')
    .option('--setup', 'check this machine and the runner first; without a token, do only that')
    .option('--device <devices>', 'auto, cuda, rocm, cpu, or device ids with commas between', 'auto')
    .addOption(new Option('--tier <tier>', 'how long to measure').choices(TIERS).default('quick'))
    .addOption(
      new Option(
        '--engine <engine>',
        "matrix products by the GPU vendor's library, our own kernels, or the better known",
      )
        .choices(ENGINES)
        .default('auto'),
    )
    .option('--max-seconds <n>', 'aim to measure the whole node in n seconds instead of 60 (quick) or 900 (standard)')
    .option('--baseline <file>', 'judge the figures by this earlier run too: a saved summary or upload')
    .option('--offline', 'measure for a job without its coordinator; deliver later with upload')
    .option('--json', 'events as one JSON object per line on stdout, the summary last')
    .addOption(new Option('--output <format>', 'other output').choices(['classic']))
    .option('--list', 'list the devices of this machine')
    .option('--dry-run', 'check everything and say what would be done')
    .option('--location <text>', 'where this machine stands (also GPUMARK_LOCATION)')
    .option('--machine-id <id>', 'identity of this agent on a machine with several (also GPUMARK_MACHINE_ID)')
    .option('--machine-id-file <path>', 'file that holds it')
    .option('--net-port-range <a-b>', 'cluster_network: ports to listen on (also GPUMARK_NET_PORT_RANGE)')
    .option('--net-interface <names>', 'cluster_network: interfaces to use (also GPUMARK_NET_INTERFACE)')
    .option('--net-public', 'cluster_network: use public addresses too (also GPUMARK_NET_PUBLIC=1)')
    .option('--net-matrix', 'cluster_network: show every link of the job while it is measured')
    .option('--version', 'version, revision and protocols');
}

async function runDefault(host: Host, flags: ParsedFlags, token: string | undefined): Promise<number> {
  if (flags.list === true) {
    const { list } = await import('./list-command.ts');
    return await list(host, flags);
  }
  const { runOptions } = await import('./options.ts');
  const options = runOptions(host, flags, token);
  if (options.setup && options.token === null && !options.dry_run) {
    const { doctor } = await import('./doctor-command.ts');
    return await doctor(host, flags);
  }
  const { runCommand } = await import('./run-command.ts');
  return await runCommand(host, options);
}
