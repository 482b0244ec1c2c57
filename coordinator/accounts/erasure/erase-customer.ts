import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { countRevocation } from '../revocation/queries.ts';
import { recordEvent } from '../audit/record-event.ts';
import { customerTables, deleteRows, letEventsGo, lockCustomer, scheduleFiles } from './queries.ts';
import { detachReports } from '../../lifecycle/job-rows.ts';

/**
 * Deletes a customer with all it has: people, keys, jobs, results, reports, its part of the audit trail. Agents and people of
 * it are refused from now on; its files are gone with the next sweep. What stays is one event that says that it was done,
 * without a name. Copies in backups are the operator's. Returns rows by table.
 */
export async function eraseCustomer(context: Context, customerId: string): Promise<Map<string, number>> {
  const now = context.now();
  return context.sql.begin(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) throw notFound('The company');
    await letEventsGo(tx);
    await scheduleFiles(tx, customerId, now);
    await detachReports(tx, customerId);
    const deleted = new Map<string, number>();
    for (const table of customerTables) deleted.set(table.name, await deleteRows(tx, table, customerId));
    await countRevocation(tx);
    await recordEvent(context, tx, { action: 'customer_erased', customerId: null, subject: customerId });
    return deleted;
  });
}
