import type { Platform } from './context.ts';
import { readDataVersion, type DataArea } from './db/data-version.ts';
import { onNews } from './db/news.ts';
import { shortCache } from './short-cache.ts';

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
