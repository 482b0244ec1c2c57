import type { JobStatsQuery } from '../contract/job.ts';
import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { countUnderperforming } from './listing/queries/jobs.ts';

/** How many of the caller's jobs that match underperform. The sort parameters are accepted and change nothing. */
export async function jobStats(context: Context, query: JobStatsQuery): Promise<{ alert_job_count: number }> {
  return { alert_job_count: await countUnderperforming(context.sql, query, visibleCustomer(context.actor)) };
}
