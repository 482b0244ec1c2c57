import { tokenFileTypes, type IdentifyRecordRequest, type TokenRecord } from '../../contract/token-files.ts';
import { periodOf } from '../../platform/archive/periods.ts';
import { findArchive, findArchiveOf, type ArchiveRow } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError } from '../../platform/errors.ts';
import { keptOf, keptUnder, pathOf, usualName } from '../token-part.ts';

/** One record by id or name. Throws `not_found`, also where id and name are of two records. */
export async function recordInfo({ sql }: Context, asked: IdentifyRecordRequest): Promise<TokenRecord> {
  return recordOf(await requireFile(sql, asked));
}

/** The file that is meant. What it holds is a name of every file, also of one that has been given another. */
export async function requireFile(sql: Queryable, { id, name }: IdentifyRecordRequest): Promise<ArchiveRow> {
  const kept = name === undefined ? null : keptUnder(name);
  const file =
    kept === null
      ? await findArchive(sql, { types: tokenFileTypes, id: id ?? null, name: name ?? null })
      : await findArchiveOf(sql, { tier: null, type: kept.type, period: periodOf(kept.interval, kept.firstDay) });
  if (file !== null && (id === undefined || file.id === id)) return file;
  const words = [...(id === undefined ? [] : [`the id ${id}`]), ...(name === undefined ? [] : [`the name ${name}`])];
  throw new DomainError('not_found', `No record has ${words.join(' and ')}.`);
}

export const recordOf = (file: ArchiveRow): TokenRecord => {
  const { type, interval, period } = keptOf(file);
  return {
    id: file.id,
    name: file.name ?? usualName(file),
    date: file.built_at.toISOString().slice(0, 10),
    type,
    interval,
    period,
    csv_s3_path: pathOf(file),
    row_count: file.row_count,
  };
};
