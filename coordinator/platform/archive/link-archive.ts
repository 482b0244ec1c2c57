import type { Context } from '../context.ts';
import { takeReplaced } from './queries.ts';

/** Long enough to fetch all files of a list one after the other. */
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
 * Removes files of all areas that were replaced or deleted so long ago that links to them have expired: a year's file is
 * rebuilt every day, and disks are finite.
 */
export async function removeReplaced({ sql, artifacts, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - 2 * LINK_SECONDS * 1000);
  await sql.begin(async (tx) => {
    for (const key of await takeReplaced(tx, before)) await artifacts.remove(key);
  });
}
