import { recordEvent } from '../accounts/audit/record-event.ts';
import type { Context } from '../platform/context.ts';
import { findJobsEndedBefore } from './queries.ts';
import { removeJob } from '../lifecycle/job-rows.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 50;

/** What is more than this comes with the next run. */
const MOST_BATCHES = 40;

/**
 * Deletes jobs that ended longer ago than KEEP_JOBS_DAYS, as their owner could: off the lists, token and links dead, files
 * gone with the next sweep. What peers are judged by loses their figures too. Returns how many.
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
