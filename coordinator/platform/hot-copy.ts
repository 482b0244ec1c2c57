import type { Platform } from './context.ts';
import { type DataArea, readDataVersion } from './db/data-version.ts';
import { onNews } from './db/news.ts';
import { Cache, loadOnce, shortCache } from './cache.ts';

type Database = Pick<Platform, 'sql' | 'now'>;

interface Parts<T> {
  /** area whose version changes with the copied data */
  area: DataArea;
  /** Called once for each database; the returned function reads the data of a version. */
  reader: (database: Database) => (version: string) => Promise<T>;
}

/** How long a copy may be outdated after a change, including one by another process. */
const LOOK_MS = 500;
const DAY_MS = 86_400_000;

/**
 * Keeps data that nearly every request reads in memory until its version changes; the version is queried at most twice a
 * second. One copy for each database that the process has open: requests and reports share it.
 */
export function hotCopy<T>({ area, reader }: Parts<T>): (database: Database) => () => Promise<T> {
  const made = new WeakMap<Platform['sql'], () => Promise<T>>();
  const open = (database: Database): (() => Promise<T>) => {
    const { sql, now } = database;
    const current = shortCache({ lifetimeMs: LOOK_MS, maxEntries: 1, now }, () => readDataVersion(sql, area));
    const copy = shortCache({ lifetimeMs: DAY_MS, maxEntries: 2, now }, reader(database));
    // After a notification the next request checks the version at once, without waiting for the cached one to expire.
    let told = 0;
    onNews(sql, 'data', () => void (told += 1));
    return async () => copy(await current(String(told)));
  };
  return (database) => {
    const known = made.get(database.sql) ?? open(database);
    made.set(database.sql, known);
    return known;
  };
}

/** Default number of cached answers: at 20 kB each, 20 MB of objects and as much JSON. */
const MOST = 1000;

export type HotAnswers = <T extends object>(
  operation: string,
  request: object,
  answer: () => T | Promise<T>,
) => Promise<T>;

/**
 * Caches the answers from one version of an area's data by request, because people and dashboards repeat requests. Holds at
 * most `most` answers and evicts the least recently used. Returns the same object each time, so that it is serialised once.
 * Failures are not cached.
 */
export function hotAnswers(most = MOST): HotAnswers {
  const answers = new Cache<string, Promise<object>>(most);
  return <T extends object>(operation: string, request: object, answer: () => T | Promise<T>): Promise<T> => {
    const given = loadOnce(answers, `${operation} ${JSON.stringify(request)}`, () => kept(answer()));
    // The answer cached for this operation and request came from the same kind of `answer` call, so it has type T.
    return given as Promise<T>;
  };
}

async function kept<T extends object>(answer: T | Promise<T>): Promise<T> {
  const made = await answer;
  keepSerialised(made);
  return made;
}

interface Kept {
  json: Buffer;
  /** the last bytes sent: `before`, the JSON and a closing brace; a popular answer is sent many times a second */
  sent: { before: string; whole: Buffer } | null;
}

/** Answers that verbs return repeatedly as the same object; no code changes an answer once it is returned. */
const keptAnswers = new WeakMap<object, Kept | null>();

/** From now on this answer is serialised only once. For other answers the JSON is not worth its memory. */
const keepSerialised = (answer: object): void => void keptAnswers.set(answer, keptAnswers.get(answer) ?? null);

/**
 * `JSON.stringify`, between `before` and a closing brace if there is a `before`. Returns bytes for a cached answer, and text
 * for any other, which node sends in one piece with the head.
 */
export function serialised(answer: object, before = ''): string | Buffer {
  const known = keptAnswers.get(answer);
  if (known === undefined) return before === '' ? JSON.stringify(answer) : `${before}${JSON.stringify(answer)}}`;
  const found = known ?? { json: Buffer.from(JSON.stringify(answer)), sent: null };
  if (known === null) keptAnswers.set(answer, found);
  if (before === '') return found.json;
  if (found.sent?.before !== before)
    found.sent = { before, whole: Buffer.concat([Buffer.from(before), found.json, CLOSE]) };
  return found.sent.whole;
}

const CLOSE = Buffer.from('}');
