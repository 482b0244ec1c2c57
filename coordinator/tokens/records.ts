import {
  type CreateRecordRequest,
  type TokenRecord,
  tokenFileTypes,
  type IdentifyRecordRequest,
} from '../contract/token-files.ts';
import { buildArchive } from '../platform/archive/build-archive.ts';
import { periodOf } from '../platform/archive/periods.ts';
import {
  findArchiveOf,
  nameArchive,
  findArchive,
  type ArchiveRow,
  deleteArchive,
} from '../platform/archive/queries.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, invalidField } from '../platform/errors.ts';
import { selectStoredDays } from './queries/file-rows.ts';
import { tokenRows } from './files.ts';
import { keptUnder, partOf, usualName, keptOf, pathOf } from './token-part.ts';
import type { Queryable } from '../platform/db/client.ts';

// A record is a file with a name. The usual name of a file (`token-book-day-2026-08-10`) always works too; a file that is rebuilt
// keeps its name and gets a new id, and links to a deleted file open until they expire.

/**
 * Builds the file of a type and period from its current rows, and names it if a name is given; repeating this changes nothing.
 * Throws `validation` for a period without rows, `conflict` for a name that is taken or a file that has another.
 */
export async function createRecord(
  context: Context,
  { type, interval, period, name }: CreateRecordRequest,
): Promise<TokenRecord> {
  const part = partOf(type, periodOf(interval, period));
  const { firstDay, lastDay } = part.period;
  const own = usualName({ type, interval, period });
  if (name !== undefined && name !== own && keptUnder(name) !== null)
    throw invalidField('name', `is the usual name of another file; this one is ${own}. Choose another name.`);
  const days = await selectStoredDays(context.sql, type, firstDay, lastDay);
  if (days.length === 0)
    throw invalidField('period', `has no rows of the ${type}; choose one with days in the data view.`);
  const wanted = name === undefined || name === own ? null : name;
  const known = await findArchiveOf(context.sql, part);
  if (wanted !== null && known !== null) refuseSecondName(known.name, wanted);
  await buildArchive(context, tokenRows, part);
  if (wanted !== null)
    await context.sql.begin(async (tx) => {
      const file = await requireFile(tx, { name: own });
      refuseSecondName(file.name, wanted);
      if (!(await nameArchive(tx, file.id, wanted)))
        throw new DomainError('conflict', `A record with the name ${wanted} exists. Choose another name.`);
    });
  return recordOf(await requireFile(context.sql, { name: own }));
}

function refuseSecondName(given: string | null, wanted: string): void {
  if (given === null || given === wanted) return;
  throw new DomainError('conflict', `The file of this type and period is the record ${given}. Delete that first.`);
}

/** One record by id or name. Throws `not_found`, also if id and name belong to two records. */
export async function recordInfo({ sql }: Context, asked: IdentifyRecordRequest): Promise<TokenRecord> {
  return recordOf(await requireFile(sql, asked));
}

/** The file of an id or a name. Every file can be found by its usual name, also one that has been given another. */
async function requireFile(sql: Queryable, { id, name }: IdentifyRecordRequest): Promise<ArchiveRow> {
  const kept = name === undefined ? null : keptUnder(name);
  const file =
    kept === null
      ? await findArchive(sql, { types: tokenFileTypes, id: id ?? null, name: name ?? null })
      : await findArchiveOf(sql, { tier: null, type: kept.type, period: periodOf(kept.interval, kept.firstDay) });
  if (file !== null && (id === undefined || file.id === id)) return file;
  const words = [...(id === undefined ? [] : [`the id ${id}`]), ...(name === undefined ? [] : [`the name ${name}`])];
  throw new DomainError('not_found', `No record has ${words.join(' and ')}.`);
}

const recordOf = (file: ArchiveRow): TokenRecord => {
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

/** Existing links to the file open until they expire. Throws `not_found`. */
export async function deleteRecord(
  context: Context,
  asked: IdentifyRecordRequest,
): Promise<{ id: string; deleted: true }> {
  return context.sql.begin(async (tx) => {
    const { id } = await requireFile(tx, asked);
    await deleteArchive(tx, id, context.now());
    return { id, deleted: true };
  });
}
