import type { JobFootprint } from '../contract/footprint.ts';
import type { JobDetail } from '../contract/job.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import { unknownPerformance } from '../lifecycle/performance/compare.ts';
import { knownOfJob } from '../lifecycle/known-judgement.ts';
import { scoreboardOf } from '../lifecycle/performance/scoreboard.ts';
import { withNetworkRun } from '../network/results/network-run.ts';
import { visibleCustomer } from '../platform/actor.ts';
import { reportUrl } from '../platform/artifacts/report-url.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { jsonStream, writeJson } from '../platform/http/raw-json.ts';
import { withDisplayNames } from './display-names.ts';
import { footprintOf, sumFootprints } from './footprint/footprint-of.ts';
import { siteOf } from './footprint/site-of.ts';
import { jobOnWire } from './job-row.ts';
import { shownToken } from './job-token.ts';
import { findJob, type JobDetailRow, selectMeasured } from './queries.ts';
import { selectClusterResults, selectTasksOfJob } from './tasks/queries.ts';
import { clusterResults, parsedResults } from './tasks/result-on-wire.ts';
import { planTasks, taskPieces } from './tasks/task-on-wire.ts';

/**
 * A job of the caller with its tasks and every result; with its token only if `showsToken`. Throws `not_found`, also for another
 * customer's job.
 */
export async function getJob(context: Context, id: string, showsToken = true): Promise<Response> {
  const customerId = visibleCustomer(context.actor);
  const job = await findJob(context.sql, { id, customerId });
  if (!job) throw notFound('Job');
  return jsonStream(jobPieces(context, job, { customerId, showsToken }));
}

async function* jobPieces(
  context: Context,
  job: JobDetailRow,
  { customerId, showsToken }: { customerId: string | null; showsToken: boolean },
): AsyncGenerator<string, void> {
  const [rows, token, scoreboard_summary, pdf_report_url, own, footprint] = await Promise.all([
    selectTasksOfJob(context.sql, { jobId: job.id, customerId }),
    showsToken ? shownToken(context, job) : null,
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
    judgement: knownOfJob(job, rows),
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

/** The job's own results by benchmark id, with names for people if asked for. Throws `not_found`. */
export async function jobResults(
  context: Context,
  input: { jobId: string; displayNames: boolean },
): Promise<Record<string, Record<string, unknown>>> {
  const job = await findJob(context.sql, { id: input.jobId, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const stored = await clusterResults(context, job, await selectClusterResults(context.sql, job.id));
  const results = parsedResults(await withNetworkRun(context, job, stored));
  const footprint = 'quick_mark' in results ? await jobFootprint(context, job.id) : null;
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => {
      const shown = id === 'quick_mark' ? { ...result, footprint } : { ...result };
      return [id, input.displayNames ? withDisplayNames(shown) : shown];
    }),
  );
}

/** Sums over the nodes that have a figure. Null if none was measured, or all are simulated. */
async function jobFootprint(context: Context, jobId: string): Promise<JobFootprint | null> {
  const rows = await selectMeasured(context.sql, jobId);
  const found = await Promise.all(
    rows.map(async (row) => {
      const { location, gpu_model: model, memory_bytes: memoryBytes, ended_at: endedAt, measured } = row;
      if (row.simulated) return [];
      const footprint = footprintOf(await siteOf(context, { location, model, memoryBytes, endedAt }), measured);
      return footprint ? [{ task_id: row.task_id, ...footprint }] : [];
    }),
  );
  const known = found.flat();
  return known.length === 0 ? null : sumFootprints(known);
}
