import { execa } from 'execa';
import { startFailure } from '../../kernels/start-failure.ts';
import { keepTail, linesOf } from '../../kernels/run-runner.ts';
import { parseCollectiveLine } from './collective-events.ts';
import type { CollectiveEvent } from './collective-events.ts';

export interface CollectiveRequest {
  /** absolute path of gpumark-runner */
  runner_path: string;
  /** after `collective` */
  args: readonly string[];
  /** Written to its stdin, which is then closed; null: stdin stays open until `close`. */
  input: string | null;
  /** Lets a second Ctrl-C kill it. */
  on_start: (pid: number) => void;
}

export interface CollectiveEnd {
  events: readonly CollectiveEvent[];
  /** Why it failed, a sentence; null if it succeeded. */
  problem: string | null;
}

export interface CollectiveProcess {
  /** The first event of that kind; null if it ended without one. */
  first<Kind extends CollectiveEvent['event']>(kind: Kind): Promise<Extract<CollectiveEvent, { event: Kind }> | null>;
  /** Never rejects. */
  readonly ended: Promise<CollectiveEnd>;
  /**
   * Closes its stdin and resolves when it has exited: SIGTERM after 1 s, SIGKILL 4 s later, enough for its own abort of
   * a hanging call.
   */
  close(): Promise<void>;
}

const GRACE_MS = 1_000;
const KILL_MS = 4_000;

/** Starts one `gpumark-runner collective`. It also ends by itself: at its own deadline, and when this program exits. */
export function startCollective({ runner_path, args, input, on_start }: CollectiveRequest): CollectiveProcess {
  const child = execa(runner_path, ['collective', ...args], {
    cwd: '/',
    reject: false,
    buffer: false,
    stdin: 'pipe',
    forceKillAfterDelay: KILL_MS,
    // The environment is inherited, for the operator's NCCL_* variables.
  });
  if (child.pid !== undefined) on_start(child.pid);
  // A process that has died closes its stdin; the reader of its output reports why.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(`${input}\n`);
  const tail = keepTail(child.stderr, undefined);
  const events: CollectiveEvent[] = [];
  const heard = new EventTarget();
  const ended = (async (): Promise<CollectiveEnd> => {
    let malformed: string | null = null;
    try {
      for await (const line of linesOf(child.stdout)) {
        const event = parseCollectiveLine(line);
        if (event === null) continue;
        events.push(event);
        heard.dispatchEvent(new Event('event'));
      }
    } catch (error) {
      malformed = error instanceof Error ? error.message : String(error);
      child.kill('SIGTERM');
    }
    const end = await child;
    const { exitCode, signal } = end;
    malformed ??= startFailure(end)?.message ?? null;
    return { events, problem: malformed ?? problemOf(events, signal ?? `exit code ${exitCode ?? 'unknown'}`, tail()) };
  })();
  return {
    ended,
    async first(kind) {
      const isWanted = (event: CollectiveEvent): event is Extract<CollectiveEvent, { event: typeof kind }> =>
        event.event === kind;
      const gone = ended.then(() => true);
      for (;;) {
        const found = events.find(isWanted);
        if (found !== undefined) return found;
        const next = new Promise<boolean>((resolve) => {
          heard.addEventListener('event', () => resolve(false), { once: true });
        });
        if (await Promise.race([next, gone])) return events.find(isWanted) ?? null;
      }
    },
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function problemOf(events: readonly CollectiveEvent[], how: string, stderr: string): string | null {
  const failed = events.find((event) => event.event === 'error');
  if (failed !== undefined) return failed.message;
  if (events.some((event) => event.event === 'summary')) return null;
  return `gpumark-runner collective ended by ${how}${stderr === '' ? '' : `; its stderr: ${stderr}`}`;
}
