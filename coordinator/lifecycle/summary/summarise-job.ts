import { aggregateFigures, mixesProcessorsWithGpus } from '../../figures/aggregate-figures.ts';
import type { ClusterNetworkResults } from '../../contract/cluster-network.ts';
import type { Judgement, RunFinding, RunVerdict } from '../../contract/judgement.ts';
import { jobJudgement } from '../../figures/findings/job-judgement.ts';
import { foundBy } from '../../figures/findings/rules.ts';
import { taskJudgement } from '../../figures/findings/task-judgement.ts';
import { deviceMetrics, type QuickMarkAggregate, type QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { resultKey } from '../../contract/result-key.ts';
import { sizeCaps } from '../../contract/size-caps.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { clusterSkipReason, isClusterBenchmark } from '../benchmarks.ts';
import type { ClusterRun } from '../on-job-ending.ts';
import { jobFindings, jobRemarks, unlikeNodes } from './job-findings.ts';
import { judgeJob } from './judge-job.ts';
import {
  selectNodeResults,
  selectStoredTasks,
  updateJobSummary,
  upsertClusterResult,
  type JobNode,
  type NodeResult,
} from '../queries/summary.ts';
import { type LockedJob } from '../locked-rows.ts';

/** What is to be said of an ended job, before it is written. */
interface JudgedJob {
  results: readonly NodeResult[];
  runs: readonly ClusterRun[];
  simulated: boolean;
  verdict: Awaited<ReturnType<typeof judgeJob>>;
  judgement: Judgement;
  /** the same with a finding that only the job's new state makes one */
  judgementWith: (further: RunFinding) => Judgement;
}

/** Judges a job whose nodes have settled, with its links and its comparison with others. */
export async function judgeEndedJob(
  tx: Transaction,
  job: LockedJob,
  nodes: readonly JobNode[],
  runs: readonly ClusterRun[],
): Promise<JudgedJob> {
  const results = await selectNodeResults(tx, job.id);
  const judged = (await selectStoredTasks(tx, job.id)).map(taskJudgement);
  const simulated = nodes.some((node) => node.simulated);
  const verdict = await judgeJob(tx, job, results, simulated);
  const unlike = unlikeNodes(nodes, results);
  const findings = jobFindings(job, nodes, { runs, results, judged, unlike, ...verdict });
  const known = { links: linksOf(runs, findings), remarks: jobRemarks(unlike) };
  const judgementWith = (...further: RunFinding[]): Judgement =>
    jobJudgement(judged, { findings: [...findings, ...further], ...known });
  return { results, runs, simulated, verdict, judgement: judgementWith(), judgementWith };
}

/** Links between nodes: tested ones and those without a result. */
function linksOf(runs: readonly ClusterRun[], findings: readonly RunFinding[]): RunVerdict['links'] {
  const counts = runs.flatMap(({ summary }) => {
    const { total_links_tested: ok, links_failed: failed } = (summary ?? {}) as Partial<ClusterNetworkResults>;
    return [ok ?? 0, ...Object.values(failed ?? {})];
  });
  const bad = findings.filter(({ rule, grade }) => rule === 'network_link' && grade === 'bad').length;
  const check = findings.filter(({ rule, grade }) => rule === 'network_link' && grade === 'check').length;
  return { of: counts.reduce((sum, count) => sum + count, 0), bad, check };
}

/** Writes the summary of a job when it ends, or when a late result adds to it: aggregate, comparison, judgement. */
export async function summariseJob(
  context: Context,
  tx: Transaction,
  job: LockedJob,
  { results, runs, simulated, verdict, judgement, judgementWith }: JudgedJob,
): Promise<void> {
  const late = results.filter((result) => result.late).length;
  await writeClusterResults(context, tx, job, { newest: results, runs });
  await updateJobSummary(tx, job.id, {
    // In a completed job a lost node came back in time, which is a clean end.
    judgement: late === 0 || job.state === 'completed' ? judgement : judgementWith(lateFinding(late)),
    simulated,
    gpu_models: modelsOf(results),
    quick_mark_aggregate: aggregateOf(results),
    ...verdict,
  });
}

const lateFinding = (count: number): RunFinding =>
  foundBy(
    'late_result',
    count === 1 ? 'one result arrived late and is included' : `${count} results arrived late and are included`,
  );

/** A real job has a few models; more would be made up, and every list of jobs shows them. */
const modelsOf = (results: readonly NodeResult[]): string[] =>
  [...new Set(results.flatMap(({ results }) => results.test_results.map((device) => device.gpu_model)))].slice(
    0,
    sizeCaps.modelsOfJob,
  );

/** Null if there is nothing to add up, or if there are both processors and GPUs, which are never added up. */
const aggregateOf = (results: readonly NodeResult[]): QuickMarkAggregate | null =>
  results.length === 0 || isMixed(results)
    ? null
    : aggregateFigures(results.flatMap((node) => node.results.test_results));

const isMixed = (results: readonly NodeResult[]): boolean =>
  mixesProcessorsWithGpus(results.flatMap((node) => node.results.test_results.map((device) => device.vendor)));

async function writeClusterResults(
  context: Context,
  tx: Transaction,
  job: LockedJob,
  { newest, runs }: { newest: readonly NodeResult[]; runs: readonly ClusterRun[] },
): Promise<void> {
  const measured = job.benchmark_sequence.filter((item) => !isClusterBenchmark(item.benchmark_id));
  for (const [place, item] of job.benchmark_sequence.entries()) {
    const keyed = { machine_uuid: '', benchmark_id: item.benchmark_id, attempt: 1, payload: item.config };
    const common = {
      id: context.newId(),
      job_id: job.id,
      benchmark_id: item.benchmark_id,
      result_key: resultKey(job.id, keyed),
      config: item.config,
      received_at: context.now(),
    };
    if (isClusterBenchmark(item.benchmark_id)) {
      await upsertClusterResult(tx, { ...common, ...networkOfCluster(runs.find((run) => run.item === place)) });
    } else {
      const results = measured.length === 1 ? newest : await selectNodeResults(tx, job.id, item);
      await upsertClusterResult(tx, { ...common, ...quickMarkOfCluster(results) });
    }
  }
}

/** The job's cluster_network: the summary of its run, whose measurements stay in their own table. */
function networkOfCluster(run: ClusterRun | undefined) {
  if (!run)
    return {
      state: 'skipped',
      started_at: null,
      ended_at: null,
      results: null,
      error_message: clusterSkipReason,
    } as const;
  const { outcome: state, created_at: started_at, ended_at, summary: results, message: error_message } = run;
  return { state, started_at, ended_at, results, error_message };
}

/** The job's quick_mark: the devices of all nodes, each with its node, and the sums over the nodes. */
function quickMarkOfCluster(results: readonly NodeResult[]) {
  if (results.length === 0) {
    const error_message = 'No node delivered a completed quick_mark.';
    return { state: 'failed', started_at: null, ended_at: null, results: null, error_message } as const;
  }
  const times = (key: 'started_at' | 'ended_at'): number[] => results.flatMap((result) => result[key]?.getTime() ?? []);
  return {
    state: 'completed',
    started_at: new Date(Math.min(...times('started_at'))),
    ended_at: new Date(Math.max(...times('ended_at'))),
    error_message: null,
    results: {
      node_count: results.length,
      device_count: results.reduce((sum, node) => sum + node.results.test_results.length, 0),
      test_results: results
        .flatMap((node) => node.results.test_results.map((device) => ({ node, device })))
        .slice(0, sizeCaps.devicesOfJob)
        .map(({ node, device }) => deviceLine(node, device)),
      aggregate_results: aggregateOf(results),
    },
  } as const;
}

/** The device's figures without their details: those are in the task, and 256 nodes would make the answer too large. */
function deviceLine(node: NodeResult, device: QuickMarkTestResult): Record<string, unknown> {
  const figures = Object.fromEntries(
    deviceMetrics.filter((metric) => device[metric] !== undefined).map((metric) => [metric, device[metric]]),
  );
  return {
    task_id: node.task_id,
    machine_uuid: node.machine_uuid,
    gpu_id: device.gpu_id,
    gpu_model: device.gpu_model,
    vendor: device.vendor,
    simulated: device.simulated,
    ...figures,
    ...(device.gemm === undefined ? {} : { gemm: ofMetrics(device.gemm) }),
    ...(device.unranked === undefined ? {} : { unranked: device.unranked }),
  };
}

const ofMetrics = (gemm: NonNullable<QuickMarkTestResult['gemm']>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(gemm).filter(([metric]) => (deviceMetrics as readonly string[]).includes(metric)));
