import type { z } from 'zod';
import type { agentJob, currentJobResponse } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { jobOfToken } from '../platform/actor.ts';
import { reportUrl } from '../platform/artifacts/report-url.ts';
import { findJobOfAgent, findTaskOfSecret, type AgentJobRow } from './queries.ts';
import { hashOfSecret } from '../lifecycle/session.ts';

/** The job of the calling token with the caller's own task and, once rendered, the reports. */
export async function currentJob(context: Context, secret: string | null): Promise<z.input<typeof currentJobResponse>> {
  const { jobId, customerId } = jobOfToken(context.actor);
  const job = await findJobOfAgent(context.sql, { id: jobId, customerId });
  if (!job) throw notFound('Job');
  const task =
    secret === null ? undefined : await findTaskOfSecret(context.sql, { jobId, secretHash: hashOfSecret(secret) });
  return {
    ...agentJobOf(job),
    tasks: task ? [{ id: task.id, state: task.state, pdf_report_url: await reportUrl(context, task) }] : [],
    pdf_report_url: await reportUrl(context, job),
  };
}

/** The agent's view of its job. */
export const agentJobOf = (job: AgentJobRow): z.input<typeof agentJob> => ({
  id: job.id,
  name: job.name,
  state: job.state,
  node_count: job.node_count,
  current_nodes: job.current_nodes,
  benchmark_sequence: job.benchmark_sequence,
  expires_at: job.expires_at.toISOString(),
});
