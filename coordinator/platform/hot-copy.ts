import type { Platform } from './context.ts';
import { type DataArea, readDataVersion } from './db/data-version.ts';
import { onNews } from './db/news.ts';
import { Cache, loadOnce, shortCache } from './cache.ts';

type Database = Pick<Platform, 'sql' | 'now'>;

interface Parts<T> {
  /** whose version changes with what is copied */
  area: DataArea;
  /** Called once for each database; what it returns reads the copy of a version. */
  reader: (database: Database) => (version: string) => Promise<T>;
}

/** How old a copy may be after a change, also one by another process. */
const LOOK_MS = 500;
const DAY_MS = 86_400_000;

/**
 * What nearly every request reads, in memory until its version has changed; the version is asked for twice a second at most. One copy
 * for each database that the process has open: requests and reports read the same.
 */
export function hotCopy<T>({ area, reader }: Parts<T>): (database: Database) => () => Promise<T> {
  const made = new WeakMap<Platform['sql'], () => Promise<T>>();
  const open = (database: Database): (() => Promise<T>) => {
    const { sql, now } = database;
    const current = shortCache({ lifetimeMs: LOOK_MS, maxEntries: 1, now }, () => readDataVersion(sql, area));
    const copy = shortCache({ lifetimeMs: DAY_MS, maxEntries: 2, now }, reader(database));
    // A change that was told is looked at by the next request, without waiting for the version's age.
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

/** At 20 kB an answer: 20 MB of answers and as much of their JSON. */
const MOST = 1000;

export type HotAnswers = <T extends object>(
  operation: string,
  request: object,
  answer: () => T | Promise<T>,
) => Promise<T>;

/**
 * Answers of one version of an area's data by what was asked, those that were asked for last, `most` of them: people and
 * dashboards ask the same things. The same object each time, so that it is turned into JSON once. Failures are not kept.
 */
export function hotAnswers(most = MOST): HotAnswers {
  const answers = new Cache<string, Promise<object>>(most);
  return <T extends object>(operation: string, request: object, answer: () => T | Promise<T>): Promise<T> => {
    const given = loadOnce(answers, `${operation} ${JSON.stringify(request)}`, () => kept(answer()));
    // What was kept under this operation and request is what `answer` makes of them.
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
  /** within `before` and the last brace, as it was sent last: a popular answer goes out many times in a second */
  sent: { before: string; whole: Buffer } | null;
}

/** Answers that verbs hand out again and again as the same object; nobody changes an answer once it is given. */
const keptAnswers = new WeakMap<object, Kept | null>();

/** From now on the JSON of this answer is made once. For others it is not worth its place in memory. */
const keepSerialised = (answer: object): void => void keptAnswers.set(answer, keptAnswers.get(answer) ?? null);

/**
 * `JSON.stringify`, within `before` and a closing brace if there is a `before`. Bytes of an answer that is kept, and a text of
 * any other, which node sends in one piece with the head.
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
