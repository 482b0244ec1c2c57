import type { JobDetail } from '../contract/job.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { jsonStream, writeJson } from '../platform/http/raw-json.ts';
import { jobFootprint } from './footprint/job-footprint.ts';
import { jobOnWire } from './job-row.ts';
import { shownToken } from './job-token.ts';
import { withNetworkRun } from '../network/results/network-run.ts';
import { unknownPerformance } from '../lifecycle/performance/compare.ts';
import { findJob, type JobDetailRow } from './queries.ts';
import { reportUrl } from '../platform/artifacts/report-url.ts';
import { selectClusterResults, selectTasksOfJob } from './tasks/queries.ts';
import { clusterResults } from './tasks/result-on-wire.ts';
import { planTasks, taskPieces } from './tasks/task-on-wire.ts';
import { scoreboardOf } from '../lifecycle/performance/scoreboard.ts';

/** A job of the caller with its tasks and every result. Throws `not_found`, also for another customer's job. */
export async function getJob(context: Context, id: string): Promise<Response> {
  const customerId = visibleCustomer(context.actor);
  const job = await findJob(context.sql, { id, customerId });
  if (!job) throw notFound('Job');
  return jsonStream(jobPieces(context, job, customerId));
}

async function* jobPieces(
  context: Context,
  job: JobDetailRow,
  customerId: string | null,
): AsyncGenerator<string, void> {
  const [rows, token, scoreboard_summary, pdf_report_url, own, footprint] = await Promise.all([
    selectTasksOfJob(context.sql, { jobId: job.id, customerId }),
    shownToken(context, job),
    scoreboardOf(context, job),
    reportUrl(context, job),
    ownResults(context, job),
    jobFootprint(context, job.id),
  ]);
  const planned = await planTasks(context, rows, sizeCaps.answerBytes - Buffer.byteLength(own));
  const left = planned.filter((task) => task.truncated).length;
  const expansions = {
    ...job,
    performance: job.performance ?? unknownPerformance,
    performance_nodes: job.performance_nodes ?? [],
  };
  const head: Omit<JobDetail, 'tasks' | 'benchmark_results'> = {
    ...jobOnWire(job, expansions, token),
    pdf_report_url,
    scoreboard_summary,
    footprint,
    truncated: left === 0 ? null : { tasks_without_results: left, see: '/api/gpu-mark/v1/tasks/{task_id}' },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"benchmark_results":${own},"tasks":[`;
  yield* taskPieces(context, planned);
  yield ']}';
}

async function ownResults(context: Context, job: JobDetailRow): Promise<string> {
  const results = await clusterResults(context, job, await selectClusterResults(context.sql, job.id));
  return writeJson(await withNetworkRun(context, job, results));
}
