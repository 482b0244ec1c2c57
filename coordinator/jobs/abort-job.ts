import { abortJob as abortLocked } from '../lifecycle/settle-job.ts';
import { actOnJob } from '../lifecycle/act.ts';
import { jobHasEnded } from '../lifecycle/states.ts';
import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';

/** Stops an active job for its owner; its agents are told at their next beat. Throws `not_found`, `state` if it has ended. */
export async function abortJob(context: Context, id: string): Promise<{ id: string; state: 'aborted' }> {
  const customerId = visibleCustomer(context.actor);
  const aborted = await actOnJob(context, id, async (tx, job) => {
    if (customerId !== null && job.customer_id !== customerId) throw notFound('Job');
    if (jobHasEnded(job.state)) throw new DomainError('state', `The job has ended: ${job.state}.`);
    return abortLocked(context, tx, job, 'The job was aborted by its owner.');
  });
  if (!aborted) throw notFound('Job');
  return { id, state: 'aborted' };
}
