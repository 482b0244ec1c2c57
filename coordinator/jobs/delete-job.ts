import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { ownCustomer } from './caller.ts';
import { findJobOwner, markJobDeleted } from './queries.ts';

/**
 * Soft-deletes the job and its tasks; the token is revoked and the name is free again. Throws `not_found`, `forbidden`
 * for another customer's job (whoever asks, staff too), `state` while it is starting or running.
 */
export async function deleteJob(context: Context, id: string): Promise<{ id: string; deleted: true }> {
  const customerId = ownCustomer(context.actor);
  const deleted = await context.sql.begin((tx) => markJobDeleted(tx, { id, customerId, now: context.now() }));
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
