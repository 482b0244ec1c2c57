import { archiveTypes } from '../../contract/market.ts';
import { linkArchive } from '../../platform/archive/link-archive.ts';
import { findArchive } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { requireArchiveTier } from '../../platform/require-terms.ts';

/**
 * A URL that opens the file without a credential for an hour. Throws `not_found` for an id that is in no list, 34004 for a
 * tier that the subscription does not include.
 */
export async function downloadArchive(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const file = await findArchive(context.sql, { types: archiveTypes, id, name: null });
  if (file === null || file.tier === null)
    throw new DomainError('not_found', `No archive file has the id ${id}. Take ids from archive/list.`);
  requireArchiveTier(context.actor, file.tier);
  return linkArchive(context, file, `gpu-${file.type}-tier${file.tier}-${file.interval}-${file.period}.csv`);
}
