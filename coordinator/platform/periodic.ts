import type { Logger } from './log.ts';

interface Options<T> {
  name: string;
  everyMs: number;
  work: () => Promise<T>;
  log: Pick<Logger, 'error'>;
  randomBytes: (count: number) => Buffer;
  /** Pause before the next run in multiples of `everyMs`, given the last result; default 1. After a failed run it is 1. */
  pauses?: (given: T) => number;
  /** Called at the start of each pause of 1: `wake` ends the pause early, and the returned function unsubscribes. */
  listen?: (wake: () => void) => () => void;
  /** Whether the first run precedes the first pause. */
  atOnce?: boolean;
}

export interface Periodic {
  /** Starts no new run; resolves when the current one has ended. */
  stop: () => Promise<void>;
}

/** Pauses vary by a tenth either way, so that several coordinators on one database do not run in lockstep. */
const JITTER = 0.1;

/** Runs `work` periodically, never two at a time. A failure is logged and the next run follows as usual. */
export function runPeriodically<T>(options: Options<T>): Periodic {
  const { name, everyMs, work, log, randomBytes, pauses = () => 1, listen = () => () => undefined } = options;
  const stopping = new AbortController();
  const jittered = () => everyMs * (1 - JITTER + (2 * JITTER * (randomBytes(1)[0] ?? 0)) / 255);
  const run = async (): Promise<number> => {
    try {
      return pauses(await work());
    } catch (error) {
      log.error({ err: error, periodic: name }, 'a periodic run failed');
      return 1;
    }
  };
  const loop = async () => {
    let times = options.atOnce ? 0 : 1;
    while (!stopping.signal.aborted) {
      // The pause is measured from the end of a run: a slow run is not followed by a burst.
      if (times > 0) await pause(times * jittered(), stopping.signal, times === 1 ? listen : deaf);
      if (stopping.signal.aborted) return;
      times = await run();
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

const deaf = () => () => undefined;

/** Resolves when the time has elapsed, when `listen` wakes it, or when the signal fires. */
function pause(ms: number, signal: AbortSignal, listen: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopListening = listen(end);
    signal.addEventListener('abort', end);
  });
}
