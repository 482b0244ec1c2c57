import { execa } from 'execa';
import { RunnerError } from '../kernels/runner-error.ts';
import { startFailure } from '../kernels/start-failure.ts';
import { keepTail, linesOf } from '../kernels/run-runner.ts';
import { parseLinkLine } from './link-events.ts';
import type { LinkEvent } from './link-events.ts';

export interface LinkProcessOptions {
  /** absolute path of gpumark-runner */
  path: string;
  /** Allows it to listen on and dial public addresses. */
  allow_public: boolean;
  on_event: (event: LinkEvent) => void;
  /** Lets a second Ctrl-C kill it. */
  on_start: (pid: number) => void;
}

/** `gpumark-runner link`: one process for the whole of a cluster_network. */
export interface LinkProcess {
  /** Sends one command line; discarded after the process has ended. */
  send(verb: string, words: Readonly<Record<string, string | number>>): void;
  /** Resolves once it has ended: null if that was requested, else why it died. Never rejects. */
  readonly ended: Promise<RunnerError | null>;
  /** Closes its stdin, upon which it closes every connection; SIGTERM after 1.5 s, SIGKILL after 3 s more. */
  close(): Promise<void>;
}

const GRACE_MS = 1_500;

export function startLinkProcess(options: LinkProcessOptions): LinkProcess {
  const child = execa(options.path, ['link', ...(options.allow_public ? ['--allow-public'] : [])], {
    cwd: '/',
    reject: false,
    buffer: false,
    stdin: 'pipe',
    forceKillAfterDelay: 3_000,
    // Keys of links are sent over stdin, which `ps` does not show.
  });
  if (child.pid !== undefined) options.on_start(child.pid);
  const tail = keepTail(child.stderr, undefined);
  const state = { asked: false, gone: false };
  // A process that has died closes its stdin; the reader of its output reports why.
  child.stdin.on('error', () => undefined);
  const ended = (async (): Promise<RunnerError | null> => {
    try {
      for await (const line of linesOf(child.stdout)) {
        const event = parseLinkLine(line);
        if (event !== null) options.on_event(event);
      }
      const end = await child;
      if (state.asked) return null;
      return startFailure(end) ?? died(options.path, end.exitCode, end.signal, tail());
    } catch (error) {
      child.kill('SIGTERM');
      await child;
      return error instanceof RunnerError ? error : died(options.path, undefined, undefined, String(error));
    } finally {
      state.gone = true;
    }
  })();
  return {
    ended,
    send(verb, words) {
      if (state.gone || state.asked) return;
      child.stdin.write(`${[verb, ...Object.entries(words).map(([name, value]) => `${name}=${value}`)].join(' ')}\n`);
    },
    async close() {
      state.asked = true;
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function died(path: string, exitCode: number | undefined, signal: string | undefined, stderr: string): RunnerError {
  const how = signal ?? (exitCode === undefined ? 'an unknown cause' : `exit code ${exitCode}`);
  return new RunnerError(
    'crashed',
    `${path} link ended by ${how}${stderr === '' ? '' : `; its stderr: ${stderr}`}`,
    'Use the runner that was built together with this agent; run it by hand to see more: gpumark-runner link.',
  );
}
