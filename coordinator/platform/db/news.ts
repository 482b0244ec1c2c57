import type { Sql } from './client.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { runPeriodically } from '../periodic.ts';
import { tellChannel } from './queries.ts';

/** What another process may have changed: data that copies are held of, credentials, the work queue, plans of networks, jobs. */
const newsWords = ['data', 'revocation', 'work', 'run', 'job'] as const;
type NewsWord = (typeof newsWords)[number];

const hearers = new WeakMap<Sql, Map<NewsWord, Set<() => void>>>();

/**
 * Calls `heard` when a change of that kind was told, by any process, over the database of this pool. Only haste: a process that
 * asks for it looks now and then anyway, since words can be lost. Returns what ends it.
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

/** The channel that the triggers of the schema speak on. */
const CHANNEL = 'gpumark';
/** How often the way there and back is tried, and how long a word may take. */
const TRY_MS = 15_000;
const SILENT_MS = 5000;
const AGAIN_MS = 5000;

interface Options {
  /** the pool whose readers are told */
  sql: Sql;
  connectDirectly: () => Sql;
  log: Pick<Logger, 'warn' | 'error'>;
  /** names our own words among those of other processes */
  randomBytes: (count: number) => Buffer;
  tryMs?: number;
}

interface Listening {
  /** whether words come through now */
  isHearing: () => boolean;
  stop: () => Promise<void>;
}

/**
 * Hears what other processes tell (LISTEN) on a connection of its own, and passes it on. A connection that is lost, or that
 * leads through a pooler where nothing is ever heard, is noticed by words of our own that do not come back: it is made anew,
 * and until then everything is found by the looks that all readers take anyway.
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
        // Also after a connection that was lost and that the driver made anew: what was told meanwhile nobody heard.
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
        log.warn({ err: error }, 'news of other processes is not heard; it is looked for several times a second');
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
