import type { LaunchLines } from '../contract/job.ts';
import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { launchLines, shownToken } from './job-token.ts';
import { findJob, type JobDetailRow } from './queries.ts';

/** A job with the lines that start its agents; null: its token opens nothing any more, or is not the caller's to see. */
export async function launchJob(
  context: Context,
  id: string,
): Promise<{ job: JobDetailRow; lines: LaunchLines | null }> {
  const job = await findJob(context.sql, { id, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const token = await shownToken(context, job);
  const image = context.config.agentImage;
  return { job, lines: token === null ? null : launchLines({ jobId: id, token, nodeCount: job.node_count, image }) };
}
