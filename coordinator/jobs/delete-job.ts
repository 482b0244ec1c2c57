import { recordEvent } from '../accounts/audit/record-event.ts';
import { withdrawArtifacts } from '../platform/artifacts/withdraw-artifacts.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { ownCustomer } from './caller.ts';
import { findJobOwner, markJobDeleted } from './queries.ts';

/**
 * Soft-deletes the job and its tasks; the token is revoked, links to its reports open nothing from now on, and the name is
 * free again. Throws `not_found`, `forbidden`
 * for another customer's job (whoever asks, staff too), `state` while it is starting or running.
 */
export async function deleteJob(context: Context, id: string): Promise<{ id: string; deleted: true }> {
  const customerId = ownCustomer(context.actor);
  const now = context.now();
  const deleted = await context.sql.begin(async (tx) => {
    const marked = await markJobDeleted(tx, { id, customerId, now });
    // Last: a report that is being attached holds the job's row until it is there to be withdrawn.
    if (marked) {
      await withdrawArtifacts(tx, { jobId: id, now });
      await recordEvent(context, tx, { action: 'job_deleted', customerId, subject: id });
    }
    return marked;
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
