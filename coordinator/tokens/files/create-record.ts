import type { CreateRecordRequest, TokenRecord } from '../../contract/token-files.ts';
import { buildArchive } from '../../platform/archive/build-archive.ts';
import { periodOf } from '../../platform/archive/periods.ts';
import { findArchiveOf, nameArchive } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, invalidField } from '../../platform/errors.ts';
import { selectStoredDays } from '../queries/file-rows.ts';
import { tokenRows } from './build-token-archives.ts';
import { recordOf, requireFile } from './find-record.ts';
import { keptUnder, partOf, usualName } from '../token-part.ts';

/**
 * Builds the file of a type and period as its rows are now, and names it if a name is given; the same again changes nothing.
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
    throw invalidField('period', `has no rows of the ${type}; choose one that the data view has days of.`);
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
