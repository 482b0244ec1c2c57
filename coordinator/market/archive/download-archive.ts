import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { requireArchiveTier } from '../../platform/require-terms.ts';
import { findArchive } from '../queries/archives.ts';

/** Long enough to fetch a list's files one after the other. */
export const LINK_SECONDS = 3600;

/**
 * A URL that opens the file without a credential for an hour. Throws `not_found` for an id that is in no list, 34004 for a
 * tier that the subscription does not include.
 */
export async function downloadArchive(
  { sql, artifacts, actor }: Context,
  id: string,
): Promise<{ csv_download_url: string }> {
  const file = await findArchive(sql, id);
  if (!file) throw new DomainError('not_found', `No archive file has the id ${id}. Take ids from archive/list.`);
  requireArchiveTier(actor, file.tier);
  const csv_download_url = await artifacts.signedUrl(file.artifact_key, {
    fileName: file.file_name,
    lifetimeSeconds: LINK_SECONDS,
  });
  return { csv_download_url };
}
