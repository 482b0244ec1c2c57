import type { z } from 'zod';
import type { currentJobResponse } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { jobOfToken } from '../jobs/caller.ts';
import { findJob } from '../jobs/queries.ts';
import { reportUrl } from '../jobs/report-url.ts';
import { findTaskOfSecret } from '../jobs/tasks/queries.ts';
import { agentJobOf } from './agent-job.ts';
import { hashOfSecret } from '../lifecycle/task-secret.ts';

/** The job of the calling token, of its tasks the caller's own, and, once rendered, the reports. */
export async function currentJob(context: Context, secret: string | null): Promise<z.input<typeof currentJobResponse>> {
  const { jobId, customerId } = jobOfToken(context.actor);
  const job = await findJob(context.sql, { id: jobId, customerId });
  if (!job) throw notFound('Job');
  const task =
    secret === null ? undefined : await findTaskOfSecret(context.sql, { jobId, secretHash: hashOfSecret(secret) });
  return {
    ...agentJobOf(job),
    tasks: task ? [{ id: task.id, state: task.state, pdf_report_url: await reportUrl(context, task) }] : [],
    pdf_report_url: await reportUrl(context, job),
  };
}
