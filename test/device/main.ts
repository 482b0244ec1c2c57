import { resolve } from 'node:path';
import { RunnerError } from '../../agent/kernels/runner-error.ts';
import { checkDevices } from './check-devices.ts';
import { findDevices } from './find-devices.ts';
import { parseOptions, usage, UsageError } from './options.ts';
import { resultsPath, writeResults } from './results-file.ts';
import { showCheck } from './show-check.ts';
import { torchScript } from './torch-script.ts';

/** Checks the runner on the GPUs of this machine; see `usage` in options.ts. The exit code is the answer. */
const stop = new AbortController();
let stoppedBy = 0;
for (const [signal, number] of [['SIGINT', 2] as const, ['SIGTERM', 15] as const]) {
  process.on(signal, () => {
    stoppedBy ||= 128 + number;
    stop.abort();
  });
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);

// No await out here: the bundle is CommonJS.
void run(process.argv.slice(2))
  .catch(told)
  .then((code) => {
    process.exitCode = code;
  });

function told(error: unknown): number {
  if (stop.signal.aborted) return interrupted();
  if (error instanceof UsageError) say(`${error.message}\n\n${usage}`);
  else if (error instanceof RunnerError) say(`${error.message}. ${error.remedy}`);
  else throw error;
  return 2;
}

async function run(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv);
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const runner_path = resolve(options.runner);
  const clock = { now: () => new Date(), monotonic_seconds: () => performance.now() / 1000 };
  const context = { options, runner_path, clock, say, signal: stop.signal, torch_script: torchScript() };
  const found = await findDevices(context);
  if ('problem' in found) {
    say(found.problem);
    return 5;
  }
  // Before the minutes of measuring: a place that may not or cannot be written to.
  const path = resultsPath(found.gpus, { out: options.out, cwd: process.cwd(), now: clock.now() });
  const document = await checkDevices(context, found.gpus, argv);
  if (stop.signal.aborted) return interrupted();
  writeResults(path, document);
  process.stdout.write(`${showCheck(document)}\n\nwritten: ${path}\n`);
  return document.exit_code;
}

function interrupted(): number {
  say('stopped by a signal; nothing was written');
  return stoppedBy;
}
