import { recordEvent } from '../accounts/audit/record-event.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { ownCustomer } from '../platform/actor.ts';
import { findJobOwner } from './queries.ts';
import { removeJob } from '../lifecycle/job-rows.ts';

/**
 * Soft-deletes the job and its tasks; the token is revoked, links to its reports open nothing from now on, and the name is
 * free again. Throws `not_found`, `forbidden`
 * for another customer's job (whoever asks, staff too), `state` while it is starting or running.
 */
export async function deleteJob(context: Context, id: string): Promise<{ id: string; deleted: true }> {
  const customerId = ownCustomer(context.actor);
  const now = context.now();
  const deleted = await context.sql.begin(async (tx) => {
    const removed = await removeJob(tx, { id, customerId, now });
    if (removed) await recordEvent(context, tx, { action: 'job_deleted', customerId, subject: id });
    return removed;
  });
  if (!deleted) throw await reasonAgainst(context, id, customerId);
  context.note({ job_id: id });
  return { id, deleted: true };
}

async function reasonAgainst(context: Context, id: string, customerId: string): Promise<DomainError> {
  const owner = await findJobOwner(context.sql, id);
  if (owner === undefined) return notFound('Job');
  if (owner !== customerId) return new DomainError('forbidden', 'The job belongs to another customer.');
  return new DomainError('state', 'The job has started and not ended; it can be deleted when it has ended.');
}
