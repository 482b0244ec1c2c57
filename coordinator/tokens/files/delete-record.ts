import type { IdentifyRecordRequest } from '../../contract/token-files.ts';
import { deleteArchive } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { requireFile } from './find-record.ts';

/** Links to the file that are about open for as long as they last. Throws `not_found`. */
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
