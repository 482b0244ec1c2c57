import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { abortJob as abortLocked } from '../lifecycle/abort-job.ts';
import { lockJob } from '../lifecycle/queries/jobs.ts';
import { jobHasEnded } from '../lifecycle/states/job-state.ts';

/** Stops an active job for its owner; its agents are told at their next beat. Throws `not_found`, `state` where it has ended. */
export async function abortJob(context: Context, id: string): Promise<{ id: string; state: 'aborted' }> {
  const customerId = visibleCustomer(context.actor);
  return context.sql.begin(async (tx) => {
    const job = await lockJob(tx, id);
    if (!job || (customerId !== null && job.customer_id !== customerId)) throw notFound('Job');
    if (jobHasEnded(job.state)) throw new DomainError('state', `The job has ended: ${job.state}.`);
    await abortLocked(context, tx, job, 'The job was aborted by its owner.');
    return { id, state: 'aborted' };
  });
}
