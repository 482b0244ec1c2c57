import type { HealthFinding } from '../../contract/health.ts';
import type { Judgement, Remarks, RunFinding } from '../../contract/judgement.ts';
import type { Performance } from '../../contract/performance.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { mixesProcessorsWithGpus } from '../../figures/aggregate-figures.ts';
import type { VersionedNode } from '../../figures/equality-signals.ts';
import { healthFinding } from '../../figures/findings/node-judgement.ts';
import { foundBy } from '../../figures/findings/rules.ts';
import { metricName } from '../../figures/metric-names.ts';
import { jobHealth } from '../../figures/node-health.ts';
import { clusterSkipReason, isClusterBenchmark } from '../benchmarks.ts';
import type { LockedJob } from '../locked-rows.ts';
import type { ClusterRun } from '../on-job-ending.ts';
import { isBelowFloor } from '../performance/compare.ts';
import type { NodePerformance } from '../performance/scoreboard.ts';
import type { JobNode, NodeResult } from '../queries/summary.ts';
import { registrationWindowSeconds } from '../states.ts';
import { cardOutliers } from './card-outliers.ts';

interface JudgedParts {
  runs: readonly ClusterRun[];
  results: readonly NodeResult[];
  /** of the nodes in their order */
  judged: readonly Judgement[];
  /** what is not alike between them (`unlikeNodes`) */
  unlike: readonly HealthFinding[];
  performance: Performance | null;
  performance_nodes: readonly NodePerformance[] | null;
}

/** What a reader of the job must know in addition to its nodes' own findings; empty for a clean run. Nodes are in their order. */
export function jobFindings(
  job: Pick<LockedJob, 'node_count' | 'benchmark_sequence'>,
  nodes: readonly Pick<JobNode, 'task_id' | 'machine_uuid' | 'hostname' | 'gpu_vendor'>[],
  { runs, results, judged, unlike, performance, performance_nodes }: JudgedParts,
): RunFinding[] {
  const numberOf = (taskId: string): number | null => {
    const number = nodes.findIndex(({ task_id }) => task_id === taskId);
    return number === -1 ? null : number;
  };
  const measured = new Set(runs.map(({ item }) => item));
  const skipped = job.benchmark_sequence.some(
    ({ benchmark_id }, item) => isClusterBenchmark(benchmark_id) && !measured.has(item),
  );
  const minutes = registrationWindowSeconds / 60;
  return [
    ...(nodes.length < job.node_count
      ? [
          foundBy(
            'nodes_missing',
            `${nodes.length} of ${job.node_count} nodes registered within ${minutes} minutes of the first`,
          ),
        ]
      : []),
    ...(mixesProcessorsWithGpus(nodes.flatMap((node) => node.gpu_vendor ?? []))
      ? [foundBy('processors_mixed', 'some nodes measured processors and some GPUs; their figures are not added up')]
      : []),
    ...results.flatMap((result) => unrankedFindings(result, numberOf(result.task_id))),
    ...unlike.flatMap((health) => (health.severity === 'info' ? [] : [healthFinding(health, [])])),
    ...(skipped ? [foundBy('network_incomplete', clusterSkipReason.replace(/\.$/, ''))] : []),
    ...runs.flatMap((run) => run.findings(numberOf)),
    ...lowFindings(performance, performance_nodes ?? [], { numberOf, judged }),
    ...cardOutliers(results, judged, numberOf),
  ];
}

/** Devices of a node that others are not compared with, with the reason of the first. */
function unrankedFindings({ results: { test_results } }: NodeResult, node: number | null): RunFinding[] {
  const devices = test_results.flatMap(({ unranked }, index) => (unranked === undefined ? [] : [index]));
  const because = test_results.find(({ unranked }) => unranked !== undefined)?.unranked;
  if (because === undefined || node === null) return [];
  return [
    foundBy('unranked', `kept, but neither ranked nor used for comparison: ${because}`, { nodes: [node], devices }),
  ];
}

/** What is not alike between the nodes of a job, worst first: what is more than a remark is among its findings. */
export const unlikeNodes = (
  nodes: readonly Pick<JobNode, 'task_id' | 'machine_uuid' | 'hostname'>[],
  results: readonly NodeResult[],
): HealthFinding[] => jobHealth(versionsOf(nodes, results));

/** What of it is worth knowing, with nothing to do. */
export const jobRemarks = (unlike: readonly HealthFinding[]): Remarks =>
  unlike.flatMap(({ severity, rule, evidence, source }) => (severity === 'info' ? [{ rule, evidence, source }] : []));

/** What `jobHealth` compares: drivers and VBIOS of the cards, node by node. */
const versionsOf = (
  nodes: readonly Pick<JobNode, 'task_id' | 'machine_uuid' | 'hostname'>[],
  results: readonly NodeResult[],
): VersionedNode[] =>
  results.flatMap(({ task_id, results: { test_results } }) => {
    const node = nodes.find((one) => one.task_id === task_id);
    const cards = test_results.filter(({ vendor }) => vendor !== 'cpu');
    return node === undefined ? [] : [{ name: node.hostname ?? node.machine_uuid, cards: cards.map(cardOf) }];
  });

const cardOf = (device: QuickMarkTestResult): VersionedNode['cards'][number] => ({
  model: device.gpu_model,
  driver_version: device['driver_version'],
  vbios: device['vbios'],
});

/** Nodes below their reference; the job as a whole if none is by itself. What a node's own findings say of a figure is left out. */
function lowFindings(
  performance: Performance | null,
  ofNodes: readonly NodePerformance[],
  { numberOf, judged }: { numberOf: (taskId: string) => number | null; judged: readonly Judgement[] },
): RunFinding[] {
  const low = ofNodes.filter(({ status }) => status === 'underperforming');
  if (low.length === 0) return performance?.status === 'underperforming' ? lowFinding(performance, [], judged) : [];
  return low.flatMap((node) => {
    const number = numberOf(node.task_id);
    return number === null ? [] : lowFinding(node, [number], judged.slice(number, number + 1));
  });
}

function lowFinding({ metrics }: Performance, nodes: number[], judged: readonly Judgement[]): RunFinding[] {
  const said = new Set(judged.flatMap(({ findings }) => findings.flatMap(({ figures }) => figures)));
  const low = metrics.filter((one) => isBelowFloor(one) && !said.has(one.metric));
  if (low.length === 0) return [];
  const evidence = low.map(({ metric, ratio, basis, floor }) => {
    const of = beside[basis];
    return `${metricName(metric)} at ${percent(ratio ?? 0)} ${of}${floor === undefined ? '' : `, limit ${percent(floor)}`}`;
  });
  return [foundBy('below_reference', evidence.join('; '), { nodes })];
}

/** What a ratio is of. */
const beside: Readonly<Record<Performance['metrics'][number]['basis'], string>> = {
  peers: 'of what others of its model reach',
  reference: 'of what a healthy card of its model reaches',
  spec: "of the data sheet's peak",
  none: '',
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
