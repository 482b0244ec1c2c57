import './cli/hide-command-line.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ExitError } from './run/exit-error.ts';
import { withoutTokens } from './run/tokens.ts';
import { stopSignals, type Clock, type Host } from './run/host.ts';
import { absolutePaths } from './cli/absolute-paths.ts';
import { findInstallation } from './cli/installation.ts';
import { measureDiskSpeed } from './inventory/disk-speed.ts';
import { probeSystem } from './inventory/library-probes.ts';
import { printableLines } from './ui/text-width.ts';

/** Programs for the inventory are also searched here: sudo, cron and containers may leave PATH empty. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * While this is true, printing is the program's only work, so a failed output stream ends it. See Host.outliveOutput.
 */
const output = { is_everything: true };

/** Variables that no child process may inherit. */
const SECRET_VARIABLES = ['GPUMARK_API_KEY'] as const;
const environment = takeEnvironment();

/** argv -> exit code. The only place that reads the environment, the clock and the random source, and that prints errors. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onStreamError);
  try {
    // Once, before anything is started: children inherit `process.env` and start in other directories.
    const resolved = absolutePaths(environment, () => process.cwd());
    Object.assign(process.env, resolved);
    Object.assign(environment, resolved);
    const { runAgent } = await import('./cli/program.ts');
    return await runAgent(hostOf(argv));
  } catch (error) {
    return report(error);
  }
}

/**
 * The environment as given to this program. Children, also those started by libraries, inherit `process.env`, so
 * secrets are removed from it here, once, before anything is started.
 */
function takeEnvironment(): Record<string, string | undefined> {
  process.env['PATH'] = [process.env['PATH'], USUAL_PATH].filter((part) => part).join(':');
  const given = { ...process.env };
  for (const name of SECRET_VARIABLES) delete process.env[name];
  return given;
}

const clock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    // An aborted sleep just ends; the caller checks the signal.
    await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
};

function hostOf(argv: string[]): Host {
  return {
    argv,
    env: environment,
    stdout: process.stdout,
    stderr: process.stderr,
    clock,
    random: { fraction: Math.random, hex: (count) => randomBytes(count).toString('hex'), uuid: () => randomUUID() },
    installation: findInstallation(import.meta.dirname),
    onStopSignal: (listener) => {
      const hears = stopSignals.map((name) => [name, () => listener(name)] as const);
      for (const [name, hear] of hears) process.on(name, hear);
      return () => {
        for (const [name, hear] of hears) process.off(name, hear);
      };
    },
    outliveOutput: () => {
      output.is_everything = false;
    },
    exitNow: (code) => process.exit(code),
    measureDisk: (directory) => measureDiskSpeed(directory, clock),
    probeSystem,
    networkInterfaces,
    system_root: '/',
    user_id: process.getuid?.() ?? 0,
  };
}

function report(error: unknown): number {
  const known = error instanceof ExitError;
  const message = error instanceof Error ? error.message : String(error);
  const remedy = known ? error.remedy : 'This is a bug of the agent; please report it with the text above.';
  const detail = known || !(error instanceof Error) ? '' : `\n${error.stack ?? ''}`;
  const text = `gpumark-agent: ${message}${detail}${remedy === null ? '' : `\n  ${remedy}`}\n`;
  process.stderr.write(withoutTokens(printableLines(text), [environment['GPUMARK_API_KEY'] ?? '']));
  return known ? error.code : 1;
}

/** `gpumark-agent --list | head -1` is not an error, and a run continues after its output is closed. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (!output.is_everything) return;
  if (error.code === 'EPIPE') process.exit(0);
  process.exit(report(new ExitError('usage', `the output cannot be written: ${error.message}`, null, error)));
}

// Uncaught errors are printed by the same function, which masks tokens.
process.on('uncaughtException', (error) => process.exit(report(error)));
// Exit explicitly: a probe that hangs in a driver would keep the process alive. One event loop turn later, because a
// failed write is reported in the next tick.
void main().then((code) => setImmediate(() => process.exit(code)));
