import type { JobReport, TaskReport } from '../report-model.ts';
import { readMeasurement } from './devices.ts';
import type { NodeSummary } from './node-summary.ts';
import { nodeName } from './node-names.ts';
import { printCount, printDuration, printInstant, printInteger } from './print-number.ts';

/** Who, what, when and how long, each as short as can be: they stand on one or two lines. */
export function jobFacts(
  { job, customer, nodes: all, scoreboard }: JobReport,
  nodes: readonly NodeSummary[],
): string[] {
  const rank = scoreboard
    ? `rank ${scoreboard.rank} of ${scoreboard.of} ${scoreboard.of === 1 ? 'customer' : 'customers'} with ${scoreboard.gpu_model}`
    : '';
  return told([
    hardwareWords(nodes),
    all.length === job.nodeCount
      ? printCount(all.length, 'node')
      : `${all.length} of ${printCount(job.nodeCount, 'expected node')} registered`,
    job.name,
    customer.name,
    printInstant(job.startedAt ?? job.createdAt),
    printDuration(job.startedAt, job.endedAt),
    job.benchmarks.join(', ').replaceAll('_', '\u00A0'),
    rank,
    job.tags.join(', '),
  ]);
}

export function nodeFacts({ job, customer, node }: TaskReport, nodes: readonly NodeSummary[]): string[] {
  const result = readMeasurement(node)?.result;
  return told([
    hardwareWords(nodes),
    nodeName(node),
    job.name,
    customer.name,
    printInstant(result?.startedAt ?? node.startedAt ?? node.createdAt),
    printDuration(node.startedAt, node.endedAt),
    job.tags.join(', '),
  ]);
}

const told = (parts: readonly (string | null)[]): string[] =>
  parts.filter((part): part is string => part !== null && part !== '' && part !== '–');

/** "64 × NVIDIA H100 80GB HBM3": models with their number over all nodes. */
function hardwareWords(nodes: readonly NodeSummary[]): string {
  const models = nodes.flatMap(({ devices }) => devices.map(({ model }) => model));
  const groups = [...Map.groupBy(models, (model) => model)];
  return groups.map(([model, group]) => `${printInteger(group.length)} × ${model}`).join(', ') || 'nothing measured';
}
