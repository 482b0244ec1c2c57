import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { mixesProcessorsWithGpus } from '../../figures/aggregate-figures.ts';
import { devicesWords } from '../../figures/device-name.ts';
import type { VersionedNode } from '../../figures/equality-signals.ts';
import { jobHealth } from '../../figures/node-health.ts';
import { healthSentence } from '../../figures/tell-health.ts';
import { clusterSkipReason, isClusterBenchmark } from '../benchmarks.ts';
import { registrationWindowSeconds } from '../states.ts';
import type { ClusterRun } from '../on-job-ending.ts';
import type { JobNode, NodeResult } from '../queries/summary.ts';
import type { LockedJob } from '../locked-rows.ts';

/** What a reader of the job must know in addition to its figures, as plain sentences; empty for a clean run. */
export function jobWarnings(
  job: Pick<LockedJob, 'node_count' | 'benchmark_sequence'>,
  nodes: readonly Pick<JobNode, 'task_id' | 'state' | 'machine_uuid' | 'hostname' | 'gpu_vendor'>[],
  { runs, results }: { runs: readonly ClusterRun[]; results: readonly NodeResult[] },
): string[] {
  const warnings: string[] = [];
  if (nodes.length < job.node_count) {
    const minutes = registrationWindowSeconds / 60;
    warnings.push(`${nodes.length} of ${job.node_count} nodes registered within ${minutes} minutes of the first.`);
  }
  for (const node of nodes) {
    const name = nameOf(node);
    if (node.state === 'lost') warnings.push(`Node ${name} stopped answering and did not come back in time.`);
    if (node.state === 'failed') warnings.push(`Node ${name} failed.`);
    if (node.state === 'aborted') warnings.push(`Node ${name} was stopped.`);
  }
  if (mixesProcessorsWithGpus(nodes.flatMap((node) => node.gpu_vendor ?? [])))
    warnings.push('Some nodes measured processors and some GPUs; their figures are not added up.');
  warnings.push(...unrankedWarnings(nodes, results), ...equalityWarnings(nodes, results));
  const measured = new Set(runs.map(({ item }) => item));
  const skipped = job.benchmark_sequence.some(
    ({ benchmark_id }, item) => isClusterBenchmark(benchmark_id) && !measured.has(item),
  );
  if (skipped) warnings.push(clusterSkipReason);
  return [...warnings, ...runs.flatMap((run) => run.warnings)];
}

/** Drivers that differ between nodes whose cards are of one model. */
const equalityWarnings = (
  nodes: readonly Pick<JobNode, 'task_id' | 'machine_uuid' | 'hostname'>[],
  results: readonly NodeResult[],
): string[] =>
  jobHealth(
    results.flatMap(({ task_id, results: { test_results } }) => {
      const node = nodes.find((one) => one.task_id === task_id);
      const cards = test_results.filter(({ vendor }) => vendor !== 'cpu');
      return node === undefined ? [] : [{ name: node.hostname ?? node.machine_uuid, cards: cards.map(versionsOf) }];
    }),
  ).flatMap((finding) => (finding.severity === 'info' ? [] : healthSentence('Job', finding)));

const versionsOf = (device: QuickMarkTestResult): VersionedNode['cards'][number] => ({
  model: device.gpu_model,
  driver_version: device['driver_version'],
  vbios: device['vbios'],
});

const nameOf = ({ hostname, machine_uuid }: Pick<JobNode, 'hostname' | 'machine_uuid'>): string =>
  hostname === null ? machine_uuid : `${hostname} (${machine_uuid})`;

/** Nodes named with the reason; the devices of any others show it themselves. */
const NAMED_NODES_MAX = 10;

function unrankedWarnings(
  nodes: readonly Pick<JobNode, 'task_id' | 'machine_uuid' | 'hostname'>[],
  results: readonly NodeResult[],
): string[] {
  const doubtful = results.flatMap(({ task_id, results: { test_results } }) => {
    const node = nodes.find((one) => one.task_id === task_id);
    const places = test_results.flatMap(({ unranked }, place) => (unranked === undefined ? [] : [place]));
    const why = test_results.find(({ unranked }) => unranked !== undefined)?.unranked;
    return node === undefined || why === undefined ? [] : [{ node, where: devicesWords(places, test_results), why }];
  });
  const lines = doubtful.slice(0, NAMED_NODES_MAX).map(({ node, where, why }) => {
    return `Node ${nameOf(node)}, ${where}: kept, but neither ranked nor used for comparison: ${why}.`;
  });
  const further = doubtful.length - NAMED_NODES_MAX;
  return further > 0 ? [...lines, `${further} more nodes have such devices.`] : lines;
}
