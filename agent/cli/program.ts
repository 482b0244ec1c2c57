import { Command, CommanderError, Option } from 'commander';
import { unverifiedTls } from '../../coordinator/contract/unverified-tls.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { ENGINES, OUTPUTS, TIERS } from '../run/run-options.ts';
import { looksLikeToken } from '../run/tokens.ts';
import { nearest } from './nearest.ts';
import { normaliseArgv, type ParsedFlags } from './options.ts';
import { versionText } from './installation.ts';

const EXAMPLES = `
Examples:
  gpumark-agent                              quick test of this machine
  GPUMARK_API_KEY=TOKEN gpumark-agent        this machine's part of a job
  gpumark-agent --json --require floor.json  exit 8 if a figure is too low

Exit codes:
  0 ok                          5 no usable device
  1 bug                         6 kernel failed or wrong result
  2 usage                       7 coordinator unreachable: result in the spool
  3 completed, with problems    8 below the thresholds of --require
  4 refused by the coordinator  9 a device or the machine is ill
  129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM

gpumark-agent help TOPIC has more: devices, environment, exit-codes, health,
output, require, soak, token, verdicts.`;

/**
 * Parses the command line and runs the command it names.
 * @returns the exit code
 * @throws ExitError for every known kind of failure
 */
export async function runAgent(host: Host): Promise<number> {
  const unsafe = unverifiedTls(host.env);
  if (unsafe !== null)
    throw new ExitError('usage', unsafe, 'Unset it. For a certificate of your own authority there is --ca FILE.');
  const outcome = { code: 0 };
  const program = buildProgram(host, (code) => {
    outcome.code = code;
  });
  try {
    await program.parseAsync(normaliseArgv(host.argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Requested help also ends here, with code 0.
    if (error.exitCode !== 0)
      throw new ExitError('usage', error.message.replace(/^error: /, ''), `See ${helpOf(program, host)}.`, error);
  }
  return outcome.code;
}

/** The commander tree. Actions load their modules when they run, so that --version and --help stay fast. */
export function buildProgram(host: Host, done: (exitCode: number) => void): Command {
  const program = new Command('gpumark-agent');
  program
    .description('Measures this machine: for a job with its token or, without one, as a quick test that is not saved.')
    .usage('[options] [token]\n       gpumark-agent COMMAND [options]')
    .argument('[token]', 'job token, as the only argument (containers)')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: () => undefined })
    .configureHelp({ visibleArguments: () => [] })
    .helpCommand(false)
    // Options after a command belong to the command.
    .enablePositionalOptions()
    .exitOverride();
  addOptions(program);
  program.action(async (token: string | undefined) => {
    const flags = program.opts<ParsedFlags & { version?: boolean }>();
    if (flags.version === true) host.stdout.write(`${versionText(host.installation)}\n`);
    else done(await runDefault(host, program, flags, token));
  });
  addCommands(host, program, done);
  return program;
}

function addCommands(host: Host, program: Command, done: (exitCode: number) => void): void {
  program
    .command('list')
    .description('the devices of this machine and the benchmarks that it can run')
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      const { list } = await import('./list-command.ts');
      done(await list(host, flagsOf(program, command)));
    });
  program
    .command('doctor')
    .description('what this machine has, what is missing and how to get it')
    .addOption(deviceOption())
    .addOption(noProxyOption())
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      const { doctor } = await import('./doctor-command.ts');
      done(await doctor(host, flagsOf(program, command)));
    });
  program
    .command('upload')
    .description('deliver the results that wait in the spool')
    .option('--quarantined', 'also retry those that were refused before')
    .addOption(coordinatorOption())
    .addOption(caOption())
    .addOption(noProxyOption())
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      const { upload } = await import('./upload-command.ts');
      done(await upload(host, flagsOf(program, command)));
    });
  program
    .command('completion')
    .description('print a completion script for the shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion.ts');
      host.stdout.write(completionScript(program, shell));
    });
  program
    .command('help')
    .description('help for a command or about a topic')
    .argument('[command or topic]')
    .action(async (name: string | undefined) => {
      const { topics } = await import('./help-topics.ts');
      const command = program.commands.find((one) => one.name() === name);
      if (name === undefined) program.outputHelp();
      else if (command !== undefined) command.outputHelp();
      else if (topics[name] !== undefined) host.stdout.write(`${topics[name]}\n`);
      else throw unknownWord('help topic', name, [...namesOf(program), ...Object.keys(topics)]);
    });
}

/** The help of the given command, or the general help. */
function helpOf(program: Command, { argv }: Host): string {
  const command = program.commands.find((one) => one.name() === argv[0]);
  return command === undefined ? 'gpumark-agent --help' : `gpumark-agent help ${command.name()}`;
}

const namesOf = (program: Command): string[] => program.commands.map((command) => command.name());

/** @param known the valid words */
function unknownWord(what: string, word: string, known: readonly string[]): ExitError {
  const meant = nearest(word, known);
  const remedy = meant === null ? 'See gpumark-agent --help.' : `Did you mean ${meant}?`;
  return new ExitError('usage', `unknown ${what} '${word}'`, remedy);
}

/**
 * The options of a command, which may also come before its name.
 * @throws ExitError usage for an option before the name that the command does not accept
 */
function flagsOf(program: Command, command: Command): ParsedFlags & { quarantined?: boolean } {
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli') continue;
    if (!command.options.some((one) => one.attributeName() === name))
      throw new ExitError(
        'usage',
        `${command.name()} takes no ${option.long}`,
        `See gpumark-agent help ${command.name()}.`,
      );
    if (command.getOptionValueSource(name) !== 'cli') command.setOptionValue(name, program.getOptionValue(name));
  }
  return { ...program.opts<ParsedFlags>(), ...command.opts<{ quarantined?: boolean }>() };
}

const jsonOption = (): Option => new Option('--json', 'one JSON object per line');
const deviceOption = (): Option =>
  new Option('--device <devices>', 'auto, cuda, rocm, cpu, or device ids with commas between').default('auto');
const coordinatorOption = (): Option =>
  new Option(
    '--coordinator <url>',
    'address of the coordinator, if not the one in the token (also GPUMARK_COORDINATOR)',
  );
const caOption = (): Option =>
  new Option(
    '--ca <file>',
    'certificates (PEM) to trust for the coordinator in addition to the usual ones (also GPUMARK_CA)',
  );
const noProxyOption = (): Option =>
  new Option('--no-proxy', 'reach the coordinator directly, whatever HTTPS_PROXY and HTTP_PROXY say');

function addOptions(program: Command): void {
  program
    .optionsGroup('A job:')
    .option('--api-key-file <path>', 'file that holds the job token, readable by you alone (or set GPUMARK_API_KEY)')
    .option('--api-key <token>', 'job token (also -api-key), visible to others while the program starts')
    .addOption(coordinatorOption())
    .addOption(caOption())
    .addOption(noProxyOption())
    .option('--offline', 'measure for a job without its coordinator; deliver later with upload')
    .optionsGroup('What is measured:')
    .addOption(deviceOption())
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
    .option('--setup', 'check this machine and the runner first; without a token, do only that')
    .option('--dry-run', 'check everything and say what would be done')
    .optionsGroup('How it is judged:')
    .option('--baseline <file>', 'judge the figures by this earlier run too: a saved summary or upload')
    .option('--require <file>', 'exit 8 if a figure is below the thresholds in this file (help require)')
    .optionsGroup('What is printed:')
    .addOption(new Option('--output <format>', 'instead of live on a terminal and plain elsewhere').choices(OUTPUTS))
    .option('--json', 'short for --output json: one event per line on stdout, the summary last')
    .option('--verbose', 'the summary with every device, remark and reason')
    .option('--list', 'short for the command list')
    .option('--version', 'version, revision and protocols')
    .optionsGroup('This machine:')
    .option('--location <text>', 'location of this machine (also GPUMARK_LOCATION)')
    .option('--machine-id <id>', 'identity of this agent on a machine with several (also GPUMARK_MACHINE_ID)')
    .option('--machine-id-file <path>', 'file that holds it')
    .optionsGroup('Links between the nodes of a job (cluster_network):')
    .option('--net-port-range <a-b>', 'ports to listen on (also GPUMARK_NET_PORT_RANGE)')
    .option('--net-interface <names>', 'interfaces to use (also GPUMARK_NET_INTERFACE)')
    .option('--net-public', 'use public addresses too (also GPUMARK_NET_PUBLIC=1)')
    .option('--net-matrix', 'show every link of the job while it is measured');
}

async function runDefault(
  host: Host,
  program: Command,
  flags: ParsedFlags,
  token: string | undefined,
): Promise<number> {
  if (token !== undefined && !looksLikeToken(token)) throw unknownWord('command or argument', token, namesOf(program));
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
