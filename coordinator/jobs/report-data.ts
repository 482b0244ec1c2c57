import type { Performance } from '../contract/performance.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import type { Context } from '../platform/context.ts';
import { maybeOne } from '../platform/db/rows.ts';
import { notFound } from '../platform/errors.ts';
import { taskJudgement } from '../figures/findings/task-judgement.ts';
import { benchmarkName } from '../lifecycle/benchmarks.ts';
import { siteOf } from './footprint/site-of.ts';
import { asJudgedNow } from '../lifecycle/performance/compare.ts';
import { knownOfJob } from '../lifecycle/known-judgement.ts';
import { scoreboardOf } from '../lifecycle/performance/scoreboard.ts';
import { findReportJob, selectReportNodes, type ReportJobRow, type ReportNodeRow } from './reports/queries.ts';
import { selectClusterResults, selectResults, selectResultSizes, type ResultRow } from './tasks/queries.ts';
import { networkFacts } from '../network/results/network-run.ts';

/**
 * Everything in the report of a job or of one of its tasks, as plain data in the shape of the report model, its large
 * parts as JSON. Throws `not_found` if the subject has been deleted.
 */
export async function reportData(context: Context, subject: { kind: 'job' | 'task'; id: string }) {
  return subject.kind === 'job' ? jobReport(context, subject.id) : taskReport(context, subject.id);
}

async function taskReport(context: Context, id: string) {
  const { sql } = context;
  const node = maybeOne(await selectReportNodes(sql, { taskId: id }));
  const job = node && (await findReportJob(sql, node.job_id));
  if (!job) throw notFound('Task');
  const { results } = await resultsOf(context, [id]);
  return {
    kind: 'task' as const,
    customer: customerOf(job),
    job: jobFacts(job),
    node: await nodeFacts(context, node, results, job),
  };
}

async function jobReport(context: Context, id: string) {
  const { sql } = context;
  const job = await findReportJob(sql, id);
  if (!job) throw notFound('Job');
  const nodes = await selectReportNodes(sql, { jobId: id });
  const ids = nodes.map((node) => node.id);
  const { results: found, leftOut } = await resultsOf(context, ids);
  const results = Map.groupBy(found, (result) => result.task_id);
  return {
    kind: 'job' as const,
    customer: customerOf(job),
    job: jobFacts(job),
    warnings: leftOut === 0 ? job.warnings : [...job.warnings, tooLarge(leftOut)],
    nodes: await Promise.all(nodes.map((node) => nodeFacts(context, node, results.get(node.id) ?? [], job))),
    results: (await selectClusterResults(sql, id)).map(resultFacts),
    network: await networkFacts(context, job),
    performance: job.performance && asJudgedNow(job.performance),
    judgement: knownOfJob(job, nodes),
    scoreboard: await scoreboardOf(context, job),
  };
}

/**
 * The results of these tasks that fit into one report; for a single task each with all its details, for several as answers
 * show them.
 */
async function resultsOf(context: Context, taskIds: string[]): Promise<{ results: ResultRow[]; leftOut: number }> {
  let left: number = sizeCaps.answerBytes;
  const sizes = await selectResultSizes(context.sql, taskIds);
  const fitting = sizes.filter(({ size_bytes }) => (left -= size_bytes) >= 0);
  const rows = await selectResults(
    context.sql,
    fitting.map((result) => result.id),
  );
  const results = taskIds.length === 1 ? await Promise.all(rows.map((row) => whole(context, row))) : rows;
  return { results, leftOut: sizes.length - fitting.length };
}

async function whole({ artifacts }: Context, row: ResultRow): Promise<ResultRow> {
  const file = row.raw_key === null ? null : await artifacts.open(row.raw_key);
  if (!file) return row;
  return { ...row, results: Buffer.concat(await Array.fromAsync(file.content)).toString('utf8') };
}

const tooLarge = (count: number): string =>
  `${count} ${count === 1 ? 'result is' : 'results are'} too large for this report and left out; the reports of the nodes have them.`;

const customerOf = (job: ReportJobRow) => ({ id: job.customer_id, name: job.customer_name });

const jobFacts = (job: ReportJobRow) => ({
  id: job.id,
  name: job.name,
  description: job.description,
  state: job.state,
  tags: job.tags,
  benchmarks: job.benchmarks,
  nodeCount: job.node_count,
  createdAt: job.created_at.toISOString(),
  startedAt: iso(job.started_at),
  endedAt: iso(job.ended_at),
});

const nodeFacts = async (context: Context, node: ReportNodeRow, results: readonly ResultRow[], job: ReportJobRow) => ({
  taskId: node.id,
  machineUuid: node.machine_uuid,
  hostname: node.hostname,
  machineIp: node.machine_ip,
  state: node.state,
  failedMessage: node.failed_message,
  warnings: node.warnings,
  judgement: taskJudgement(node),
  simulated: node.simulated,
  agentVersion: node.agent_version,
  createdAt: node.created_at.toISOString(),
  startedAt: iso(node.started_at),
  endedAt: iso(node.ended_at),
  inventory: node.inventory,
  results: results.map(resultFacts),
  performance: performanceOf(job, node.id),
  site: await siteOf(context, {
    location: node.location,
    model: node.gpu_model,
    memoryBytes: node.memory_bytes,
    endedAt: node.ended_at,
  }),
});

/** Null until the job has ended: only then are its nodes compared. */
function performanceOf(job: ReportJobRow, taskId: string): Performance | null {
  const found = job.performance_nodes?.find((node) => node.task_id === taskId);
  if (!found) return null;
  const { task_id: _task, machine_uuid: _machine, ...performance } = found;
  return asJudgedNow(performance);
}

const resultFacts = (result: ResultRow) => ({
  benchmarkId: result.benchmark_id,
  benchmarkName: benchmarkName(result.benchmark_id),
  attempt: result.attempt,
  state: result.state,
  startedAt: iso(result.started_at),
  endedAt: iso(result.ended_at),
  receivedAt: result.received_at.toISOString(),
  late: result.late,
  errorMessage: result.error_message,
  resultKey: result.result_key,
  config: result.config,
  results: result.results,
});

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
