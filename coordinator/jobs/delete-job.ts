import { recordEvent } from '../accounts/audit/record-event.ts';
import { removeJob } from '../lifecycle/job-rows.ts';
import { ownCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { findJobOwner, findJobsEndedBefore } from './queries.ts';

/**
 * Soft-deletes the job and its tasks: the token is revoked, links to its reports stop working, and the name is free again.
 * Throws `not_found`, `forbidden` for another customer's job (also if staff asks), `state` while it is starting or running.
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

const DAY_MS = 86_400_000;
const AT_ONCE = 50;

/** Any further batches are left to the next run. */
const MOST_BATCHES = 40;

/**
 * Deletes jobs that ended longer ago than KEEP_JOBS_DAYS, as their owner could: they leave the lists, their token and links stop
 * working, their files go with the next sweep, and their figures leave the comparison of peers. Returns how many.
 */
export async function retireJobs(context: Context): Promise<number> {
  const { config, sql } = context;
  if (config.keepJobsDays === null) return 0;
  const now = context.now();
  const before = new Date(now.getTime() - config.keepJobsDays * DAY_MS);
  let retired = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const jobs = await findJobsEndedBefore(sql, before, AT_ONCE);
    for (const { id, customer_id: customerId } of jobs) {
      await sql.begin(async (tx) => {
        // Another coordinator may have been first.
        if (!(await removeJob(tx, { id, customerId, now }))) return;
        await recordEvent(context, tx, { action: 'job_deleted', customerId, subject: id });
        retired += 1;
      });
    }
    if (jobs.length < AT_ONCE) break;
  }
  return retired;
}
