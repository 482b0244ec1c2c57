import type { Context } from '../context.ts';
import { LINK_SECONDS } from './link-archive.ts';
import { takeReplaced } from './queries.ts';

/**
 * Files of all areas that were replaced or deleted longer ago than links to them last: a year's file is built anew every
 * day, and disks are finite.
 */
export async function removeReplaced({ sql, artifacts, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - 2 * LINK_SECONDS * 1000);
  await sql.begin(async (tx) => {
    for (const key of await takeReplaced(tx, before)) await artifacts.remove(key);
  });
}
