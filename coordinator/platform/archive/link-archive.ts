import type { Context } from '../context.ts';
import { takeReplaced } from './queries.ts';

/** Long enough to fetch a list's files one after the other. */
const LINK_SECONDS = 3600;

/** A URL that opens a file without a credential for an hour. */
export async function linkArchive(
  { artifacts }: Context,
  { artifact_key }: { artifact_key: string },
  fileName: string,
): Promise<{ csv_download_url: string }> {
  return { csv_download_url: await artifacts.signedUrl(artifact_key, { fileName, lifetimeSeconds: LINK_SECONDS }) };
}

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
