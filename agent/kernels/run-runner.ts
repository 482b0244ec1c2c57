import { execa } from 'execa';
import { malformedLine, parseLine } from './parse-line.ts';
import { RunnerError } from './runner-error.ts';
import { startFailure } from './start-failure.ts';
import type { RunnerEvent } from './runner-events.ts';

export interface RunnerRequest {
  /** absolute path of gpumark-runner */
  path: string;
  args: readonly string[];
  /** longest time without a line from the runner; sensor readings do not count, since they continue while a kernel hangs */
  deadline_seconds: number;
  /**
   * Aborting sends SIGTERM: the runner ends its slice, reports its results and exits 143. It is killed `grace_seconds`
   * later.
   */
  cancel_signal?: AbortSignal;
  /** seconds between SIGTERM and SIGKILL; default 10 */
  grace_seconds?: number;
  /** called with the process id before the first event, to set its priority, and to kill it on a second Ctrl-C */
  on_start?: (pid: number) => void;
  /** one call per line of the runner's stderr, text for people */
  on_message?: (line: string) => void;
}

const maxLineCharacters = 1 << 20;
const maxStderrCharacters = 4000;

/**
 * Runs the runner and yields its events in order. Ends normally whenever the runner has emitted its summary, whatever
 * its exit code, which the caller must check. Leaving the loop early stops the runner.
 * @throws RunnerError if the runner could not start, violated the protocol, died without a summary or was silent for too long
 */
export async function* runRunner(request: RunnerRequest): AsyncGenerator<RunnerEvent, void, void> {
  const child = execa(request.path, [...request.args], {
    cwd: '/',
    reject: false,
    buffer: false,
    stdin: 'ignore',
    forceKillAfterDelay: (request.grace_seconds ?? 10) * 1000,
  });
  if (child.pid !== undefined) request.on_start?.(child.pid);
  const tail = keepTail(child.stderr, request.on_message);
  const stop = stopper(request, () => child.kill('SIGTERM'));
  let summarized = false;
  try {
    for await (const line of linesOf(child.stdout)) {
      const event = parseLine(line);
      if (event === null) continue;
      summarized ||= event.event === 'summary';
      if (event.event !== 'telemetry') stop.postpone();
      yield event;
    }
    const ended = await child;
    if (stop.expired) throw tooLong(request);
    if (!summarized) throw diedEarly(request, ended, tail());
  } finally {
    stop.disarm();
    child.kill('SIGTERM');
    await child;
  }
}

interface Stopper {
  readonly expired: boolean;
  /** restarts the deadline */
  postpone: () => void;
  disarm: () => void;
}

/** Calls `stop` at the deadline or when the caller cancels, whichever comes first. */
function stopper(request: RunnerRequest, stop: () => void): Stopper {
  let expired = false;
  const begin = () =>
    setTimeout(() => {
      expired = true;
      stop();
    }, request.deadline_seconds * 1000);
  let timer = begin();
  request.cancel_signal?.addEventListener('abort', stop, { once: true });
  if (request.cancel_signal?.aborted === true) stop();
  return {
    get expired() {
      return expired;
    },
    postpone: () => {
      clearTimeout(timer);
      timer = begin();
    },
    disarm: () => {
      clearTimeout(timer);
      request.cancel_signal?.removeEventListener('abort', stop);
    },
  };
}

/** The lines of a stream as they come. @throws RunnerError malformed-line for one that is too long */
export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, void, void> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineCharacters) throw malformedLine(rest, 'the line has no end');
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}

/** Collects the end of stderr for error messages; returns a function that reads it. */
export function keepTail(stream: NodeJS.ReadableStream, onMessage: ((line: string) => void) | undefined): () => string {
  let tail = '';
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-maxStderrCharacters);
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(-maxStderrCharacters);
    for (const line of lines) onMessage?.(line);
  });
  return () => tail.trim();
}

interface Ended {
  code?: string | undefined;
  signal?: string | undefined;
  exitCode?: number | undefined;
}

function diedEarly({ path, cancel_signal }: RunnerRequest, ended: Ended, stderr: string): RunnerError {
  const limit = startFailure(ended);
  if (limit !== null) return limit;
  const said = stderr === '' ? '' : `; its stderr: ${stderr}`;
  switch (ended.code) {
    case 'ENOENT':
      return new RunnerError(
        'missing',
        `there is no runner at ${path}`,
        'Build it with make native, or run the agent with --setup.',
      );
    case 'EACCES':
      return new RunnerError(
        'not-executable',
        `the runner ${path} is not executable`,
        `Give it the permission: chmod 755 ${path}; also check that its file system is not mounted noexec.`,
      );
    default: {
      const how = ended.signal === undefined ? `exit code ${ended.exitCode ?? 'unknown'}` : ended.signal;
      // We send SIGKILL only after the grace period of a cancelled run.
      const isForMemory = ended.signal === 'SIGKILL' && cancel_signal?.aborted !== true;
      return new RunnerError(
        'crashed',
        `the runner ended by ${how}${isForMemory ? ', as Linux does when memory runs out,' : ''} without a summary${said}`,
        isForMemory
          ? 'Free memory, or raise the limit of the container or job; dmesg says what was killed for it.'
          : 'It may be damaged or built for another processor. Run it by hand to see more: gpumark-runner self-test.',
        ended,
      );
    }
  }
}

function tooLong(request: RunnerRequest): RunnerError {
  return new RunnerError(
    'deadline',
    `the runner has reported nothing for ${request.deadline_seconds} s (${request.args.join(' ')})`,
    'The machine may be overloaded, or a driver call hangs; try again, or measure fewer benchmarks.',
  );
}
