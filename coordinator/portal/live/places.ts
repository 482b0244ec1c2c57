import type { RunFinding } from '../../contract/judgement.ts';
import type { PlaceNames } from '../../figures/findings/finding-words.ts';
import type { NodesView } from './job-view.ts';

/** Names of a job's nodes and devices: a shared page has the number of a node in place of its name. */
export const placesOf = ({ job, nodes, figures, viewer }: NodesView): PlaceNames => ({
  nodeCount: job.node_count,
  nodeName: (number) => {
    const hostname = viewer.isShared ? null : nodes[number]?.hostname;
    return hostname ?? `node ${number}`;
  },
  devicesOf: (number) => {
    const node = number === null ? undefined : nodes[number];
    const devices = node && figures.get(node.id)?.devices;
    return devices === undefined || devices.length === 0
      ? null
      : { count: devices.length, areProcessors: devices.every(({ vendor }) => vendor === 'cpu') };
  },
});

/** Where the numbers behind a finding are; null: nowhere but in the finding itself. */
export function evidenceOf({ job, nodes, viewer }: NodesView, finding: RunFinding): string | null {
  const here = `${viewer.base}/jobs/${job.id}`;
  if (finding.rule.startsWith('network_')) return job.benchmarks.includes('cluster_network') ? `${here}#links` : null;
  const [first, ...others] = finding.nodes;
  if (others.length > 0) return `${here}/nodes?order=worst`;
  const node = nodes[first ?? (job.node_count === 1 ? 0 : -1)];
  return node === undefined ? null : `${viewer.base}/tasks/${node.id}#${partOf(finding)}`;
}

/** The part of a task's page that has the numbers of a finding. */
const partOf = ({ rule, figures }: RunFinding): string =>
  rule.startsWith('copies_') ? 'copies' : figures.length > 0 ? 'figures' : 'problems';
