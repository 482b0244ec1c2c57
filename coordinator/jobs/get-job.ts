import type { JobDetail, Performance } from '../contract/job.ts';
import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { jobOnWire } from './job-row.ts';
import { shownToken } from './job-token.ts';
import { withNetworkRun } from './network/results/network-run.ts';
import { unknownPerformance } from './performance/compare.ts';
import { rankOf } from './performance/queries.ts';
import { findJob, type JobDetailRow } from './queries.ts';
import { reportUrl } from './report-url.ts';
import { selectClusterResults, selectTasksOfJob } from './tasks/queries.ts';
import { clusterResults } from './tasks/result-on-wire.ts';
import { tasksOnWire } from './tasks/task-on-wire.ts';

/** A job of the caller with its tasks and every result. Throws `not_found`, also for another customer's job. */
export async function getJob(context: Context, id: string): Promise<JobDetail> {
  const customerId = visibleCustomer(context.actor);
  const job = await findJob(context.sql, { id, customerId });
  if (!job) throw notFound('Job');
  const [tasks, results, token, scoreboard_summary, pdf_report_url] = await Promise.all([
    selectTasksOfJob(context.sql, { jobId: id, customerId }).then((rows) => tasksOnWire(context, rows, true)),
    selectClusterResults(context.sql, id),
    shownToken(context, job),
    scoreboardOf(context, job),
    reportUrl(context, job),
  ]);
  return {
    ...jobOnWire(
      job,
      { ...job, performance: job.performance ?? unknownPerformance, performance_nodes: job.performance_nodes ?? [] },
      token,
    ),
    tasks,
    benchmark_results: await withNetworkRun(context, job, clusterResults(job, results)),
    pdf_report_url,
    scoreboard_summary,
  };
}

/** The job's place among the customers that measured the same metrics of the model, as of now; null for a job without one. */
export async function scoreboardOf(
  { sql }: Pick<Context, 'sql'>,
  job: Pick<
    JobDetailRow,
    'customer_id' | 'scoreboard_model' | 'scoreboard_group' | 'scoreboard_index' | 'performance' | 'performance_nodes'
  >,
): Promise<JobDetail['scoreboard_summary']> {
  const { scoreboard_group: group, scoreboard_index: index, scoreboard_model: gpu_model, performance } = job;
  if (group === null || index === null || gpu_model === null || performance?.score == null) return null;
  const { of, above, notAbove } = await rankOf(sql, { group, index, customerId: job.customer_id });
  return {
    gpu_model,
    rank: above + 1,
    of,
    percentile: Number(((100 * notAbove) / of).toFixed(1)),
    score: performance.score,
    status: performance.status,
    underperforming_nodes: underperforming(job.performance_nodes ?? []),
  };
}

const underperforming = (nodes: readonly (Performance & { task_id: string })[]): string[] =>
  nodes.filter((node) => node.status === 'underperforming').map((node) => node.task_id);
