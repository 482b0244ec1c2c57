import type { Context } from '../platform/context.ts';
import { abortJob } from './abort-job.ts';
import { actOnJob } from './act.ts';
import { apart } from './apart.ts';
import { archiveJobs, selectExpiredJobs } from './queries/sweep.ts';
import { archiveAfterDays } from './states/job-state.ts';

const MOST_JOBS = 200;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Called every few seconds: aborts jobs whose time is over before they ended, archives jobs that ended long ago. Returns
 * what it did, for the log.
 */
export async function expireJobs(context: Context): Promise<{ expired: number; archived: number }> {
  const now = context.now();
  const expired = await selectExpiredJobs(context.sql, { now, limit: MOST_JOBS });
  for (const jobId of expired) await apart(context, { job_id: jobId }, () => expire(context, jobId));
  const endedBefore = new Date(now.getTime() - archiveAfterDays * DAY_MS);
  const archived = await archiveJobs(context.sql, { now, endedBefore, limit: MOST_JOBS });
  return { expired: expired.length, archived };
}

async function expire(context: Context, jobId: string): Promise<void> {
  await actOnJob(context, jobId, async (tx, job) => {
    if (job.expires_at <= context.now())
      await abortJob(context, tx, job, 'The job expired before this node had finished.');
  });
}
