import { mixesProcessorsWithGpus } from '../../contract/aggregate-figures.ts';
import { clusterSkipReason, isClusterBenchmark } from '../benchmarks.ts';
import { registrationWindowSeconds } from '../job-state.ts';
import { networkWarnings } from '../network/network-warnings.ts';
import type { EndedRun } from '../network/queries/runs.ts';
import type { JobNode, LockedJob } from './queries.ts';

/** What a reader of the job must know beside its figures, in plain sentences; none means a clean run. */
export function jobWarnings(
  job: Pick<LockedJob, 'node_count' | 'benchmark_sequence'>,
  nodes: readonly Pick<JobNode, 'state' | 'machine_uuid' | 'hostname' | 'gpu_vendor'>[],
  runs: readonly EndedRun[],
): string[] {
  const warnings: string[] = [];
  if (nodes.length < job.node_count) {
    const minutes = registrationWindowSeconds / 60;
    warnings.push(`${nodes.length} of ${job.node_count} nodes registered within ${minutes} minutes of the first.`);
  }
  for (const node of nodes) {
    const name = node.hostname === null ? node.machine_uuid : `${node.hostname} (${node.machine_uuid})`;
    if (node.state === 'lost') warnings.push(`Node ${name} stopped answering and did not come back in time.`);
    if (node.state === 'failed') warnings.push(`Node ${name} failed.`);
    if (node.state === 'aborted') warnings.push(`Node ${name} was stopped.`);
  }
  if (mixesProcessorsWithGpus(nodes.flatMap((node) => node.gpu_vendor ?? [])))
    warnings.push('Some nodes measured processors and some GPUs; their figures are not added up.');
  const measured = new Set(runs.map(({ item }) => item));
  const skipped = job.benchmark_sequence.some(
    ({ benchmark_id }, item) => isClusterBenchmark(benchmark_id) && !measured.has(item),
  );
  if (skipped) warnings.push(clusterSkipReason);
  return [...warnings, ...networkWarnings(runs)];
}
