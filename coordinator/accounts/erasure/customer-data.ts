import { createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../platform/context.ts';
import { customerTables, filesOf, rowsOf, deleteRows, letEventsGo, lockCustomer, scheduleFiles } from './queries.ts';
import { lockByName } from '../../platform/db/transactions.ts';
import { notFound } from '../../platform/errors.ts';
import { countRevocation } from '../revocation/queries.ts';
import { recordEvent } from '../audit/record-event.ts';
import { detachReports, MACHINE_COUNTS } from '../../lifecycle/job-rows.ts';

/**
 * Writes all rows of a customer as of one moment, one `TABLE.jsonl` each, and its files into a new folder, without secrets and
 * the hashes of passwords and keys. Returns rows by table, and the number of files.
 */
export async function exportCustomer(
  { sql, artifacts }: Context,
  customerId: string,
  folder: string,
): Promise<{ rows: Map<string, number>; files: number }> {
  if (await stat(folder).catch(() => null)) throw new Error(`${folder} already exists; name a new folder.`);
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 });
  const rows = new Map<string, number>();
  const keys = await sql.begin('isolation level repeatable read read only', async (tx) => {
    for (const table of customerTables) {
      const file = await open(join(folder, `${table.name}.jsonl`), 'wx', 0o600);
      let count = 0;
      try {
        for await (const lines of rowsOf(tx, table, customerId)) {
          await file.appendFile(lines.map((line) => `${line}\n`).join(''));
          count += lines.length;
        }
      } finally {
        await file.close();
      }
      rows.set(table.name, count);
    }
    return filesOf(tx, customerId);
  });
  let files = 0;
  for (const { key, file_name } of keys) {
    const opened = await artifacts.open(key);
    if (!opened) continue;
    const [, , object = ''] = key.split('/');
    const name = `${object.slice(0, 12)}-${file_name.replaceAll(/[^\w.-]/g, '_')}`;
    await pipeline(opened.content, createWriteStream(join(folder, 'files', name), { flags: 'wx', mode: 0o600 }));
    files += 1;
  }
  return { rows, files };
}

/**
 * Deletes a customer with all its data: people, keys, jobs, results, reports, its part of the audit trail. Its agents and people
 * are refused from now on; the next sweep removes its files. One event remains, which records the erasure without a name. Copies
 * in backups are up to the operator. Returns rows by table.
 */
export async function eraseCustomer(context: Context, customerId: string): Promise<Map<string, number>> {
  const now = context.now();
  return context.sql.begin(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) throw notFound('The company');
    await letEventsGo(tx);
    await lockByName(tx, MACHINE_COUNTS);
    await scheduleFiles(tx, customerId, now);
    await detachReports(tx, customerId);
    const deleted = new Map<string, number>();
    for (const table of customerTables) deleted.set(table.name, await deleteRows(tx, table, customerId));
    await countRevocation(tx);
    await recordEvent(context, tx, { action: 'customer_erased', customerId: null, subject: customerId });
    return deleted;
  });
}
