import { tokenFileTypes } from '../../contract/token-files.ts';
import { linkArchive } from '../../platform/archive/link-archive.ts';
import { findArchive } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { usualName } from '../token-part.ts';

/** A URL that opens the file without a credential for an hour. Throws `not_found` for an id that is in no list of token prices. */
export async function downloadFile(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const file = await findArchive(context.sql, { types: tokenFileTypes, id, name: null });
  if (file === null)
    throw new DomainError('not_found', `No file of token prices has the id ${id}. Take ids from list.`);
  return linkArchive(context, file, `${usualName(file)}.csv`);
}
