import type { Context } from '../platform/context.ts';
import { abortJob } from './abort-job.ts';
import { lockJob } from './queries/jobs.ts';
import { archiveAfterDays } from './states/job-state.ts';
import { apart } from './apart.ts';
import { archiveJobs, deleteKeys, selectExpiredJobs } from './queries/sweep.ts';

const MOST_JOBS = 200;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Called every few seconds: aborts jobs whose time is over before they ended, archives jobs that ended long ago, forgets
 * idempotency keys of yesterday. Returns what it did, for the log.
 */
export async function expireJobs(context: Context): Promise<{ expired: number; archived: number }> {
  const now = context.now();
  const expired = await selectExpiredJobs(context.sql, { now, limit: MOST_JOBS });
  for (const jobId of expired) await apart(context, { job_id: jobId }, () => expire(context, jobId));
  const endedBefore = new Date(now.getTime() - archiveAfterDays * DAY_MS);
  const archived = await archiveJobs(context.sql, { now, endedBefore, limit: MOST_JOBS });
  await deleteKeys(context.sql, { createdBefore: new Date(now.getTime() - DAY_MS), limit: MOST_JOBS });
  return { expired: expired.length, archived };
}

async function expire(context: Context, jobId: string): Promise<void> {
  await context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job && job.expires_at <= context.now())
      await abortJob(context, tx, job, 'The job expired before this node had finished.');
  });
}
