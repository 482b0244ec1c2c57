import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from './log.ts';

interface Options {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  log: Logger;
  randomBytes: (count: number) => Buffer;
}

export interface Periodic {
  /** No new run begins; resolves when the running one has ended. */
  stop: () => Promise<void>;
}

/** A tenth either way, so that several coordinators on one database do not move in step. */
const JITTER = 0.1;

/** Runs `work` again and again, never two at a time. A failure is logged and the next run comes as usual. */
export function runPeriodically({ name, everyMs, work, log, randomBytes }: Options): Periodic {
  const stopping = new AbortController();
  const pause = () => everyMs * (1 - JITTER + (2 * JITTER * (randomBytes(1)[0] ?? 0)) / 255);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      // The pause is measured from the end of a run: a slow one is not followed by a burst.
      await wait(pause(), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await work().catch((error: unknown) => log.error({ err: error, periodic: name }, 'a periodic run failed'));
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
