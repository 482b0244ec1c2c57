import type { Queryable } from '../platform/db/client.ts';
import { jobHasEnded, moveJob, type JobEvent } from './states/job-state.ts';
import { updateJobState, type LockedJob } from './queries/jobs.ts';

/** Moves a locked job along the table; returns it as it then is. An event the table does not know in this state changes nothing. */
export async function changeJobState(sql: Queryable, job: LockedJob, event: JobEvent, now: Date): Promise<LockedJob> {
  const to = moveJob(job.state, event);
  if (to === null) return job;
  const startedAt = to === 'starting' ? now : null;
  const moved = await updateJobState(sql, {
    id: job.id,
    from: job.state,
    to,
    startedAt,
    endedAt: jobHasEnded(to) ? now : null,
  });
  if (!moved) throw new Error(`job ${job.id} left ${job.state} under its lock`);
  return { ...job, state: to, started_at: job.started_at ?? startedAt };
}
