import type { Sql } from './client.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { runPeriodically } from '../periodic.ts';
import { tellChannel } from './queries.ts';

/** What another process may have changed: cached data, credentials, the work queue, network runs, jobs. */
const newsWords = ['data', 'revocation', 'work', 'run', 'job'] as const;
type NewsWord = (typeof newsWords)[number];

const hearers = new WeakMap<Sql, Map<NewsWord, Set<() => void>>>();

/**
 * Calls `heard` when any process announces a change of that kind through the database of this pool. This only saves time:
 * subscribers also poll now and then, since notifications can be lost. Returns the function that unsubscribes.
 */
export function onNews(sql: Sql, word: NewsWord, heard: () => void): () => void {
  const words = hearers.get(sql) ?? new Map<NewsWord, Set<() => void>>();
  hearers.set(sql, words);
  const all = words.get(word) ?? new Set();
  words.set(word, all.add(heard));
  return () => void all.delete(heard);
}

export function passOn(sql: Sql, word: NewsWord): void {
  for (const heard of hearers.get(sql)?.get(word) ?? []) heard();
}

/** Channel of the notifications sent by the schema's triggers. */
const CHANNEL = 'gpumark';
/** How often the round trip is tested, how long a notification may take, and the pause before reconnecting. */
const TRY_MS = 15_000;
const SILENT_MS = 5000;
const AGAIN_MS = 5000;

interface Options {
  /** the pool whose subscribers are notified */
  sql: Sql;
  connectDirectly: () => Sql;
  log: Pick<Logger, 'warn' | 'error'>;
  /** distinguishes our own test notifications from those of other processes */
  randomBytes: (count: number) => Buffer;
  tryMs?: number;
}

interface Listening {
  /** whether notifications arrive at present */
  isHearing: () => boolean;
  stop: () => Promise<void>;
}

/**
 * Receives notifications of other processes (LISTEN) on a connection of its own, and passes them on. A connection that is
 * lost, or that leads through a pooler and never receives any, is detected because our own test notifications do not come
 * back: it is replaced, and until then subscribers find all changes by polling.
 */
export function listenForNews({ sql, connectDirectly, log, randomBytes, tryMs = TRY_MS }: Options): Listening {
  const stopping = new AbortController();
  let hearing = false;
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const listenOnce = async (): Promise<void> => {
    const session = connectDirectly();
    const own = `own ${randomBytes(8).toString('hex')}`;
    let echo: (() => void) | null = null;
    try {
      await session.listen(
        CHANNEL,
        (word) => {
          if (word === own) echo?.();
          else if (isWord(word)) passOn(sql, word);
        },
        // Also called after the driver has replaced a lost connection: notifications were missed meanwhile.
        () => newsWords.forEach((word) => passOn(sql, word)),
      );
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        echo = () => resolve(true);
        await tellChannel(session, CHANNEL, own);
        const heard = await Promise.race([promise, pause(SILENT_MS).then(() => false)]);
        if (stopping.signal.aborted) return;
        if (!heard)
          throw new Error('notifications do not arrive: is there a pooler in between? Set DATABASE_DIRECT_URL');
        hearing = true;
        await pause(tryMs);
        if (stopping.signal.aborted) return;
      }
    } finally {
      await session.end({ timeout: 1 }).catch(() => undefined);
    }
  };
  let wasTold = false;
  const listen = (): Promise<void> =>
    listenOnce().catch((error: unknown) => {
      if (hearing || !wasTold)
        log.warn(
          { err: error },
          'there are no notifications from other processes; the database is polled several times a second',
        );
      wasTold = true;
      hearing = false;
    });
  const listening = runPeriodically({
    name: 'listen-for-news',
    everyMs: AGAIN_MS,
    atOnce: true,
    work: listen,
    log,
    randomBytes,
  });
  return {
    isHearing: () => hearing,
    stop: async () => {
      stopping.abort();
      await listening.stop();
    },
  };
}

const isWord = (word: string): word is NewsWord => (newsWords as readonly string[]).includes(word);
