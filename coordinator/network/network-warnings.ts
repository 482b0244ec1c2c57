import type { ClusterNetworkResults } from '../contract/cluster-network.ts';
import type { EndedRun } from './queries/runs.ts';

/** Sentences of one kind in a job's warnings; the result lists all. */
const MOST_OF_A_KIND = 10;

/** What a reader of the job must know of its links, in plain sentences: who is bad, who is cut off, what is not measured. */
export const networkWarnings = (runs: readonly EndedRun[]): string[] => runs.flatMap(warningsOf);

function warningsOf({ outcome, message, summary }: EndedRun): string[] {
  const told =
    message === null ? [] : [message.startsWith('cluster_network') ? message : `cluster_network: ${message}`];
  const failed = outcome === 'completed' ? [] : told;
  if (summary === null) return failed;
  const { missing_nodes, bad_nodes, bad_links, partitions, links_failed } =
    // Written by summariseRun, whose shape this is.
    summary as Pick<ClusterNetworkResults, 'missing_nodes' | 'bad_nodes' | 'bad_links' | 'partitions' | 'links_failed'>;
  const failures = Object.entries(links_failed);
  return [
    ...failed,
    ...(missing_nodes > 0 ? [`${missing_nodes} ${nodes(missing_nodes)} took no part in cluster_network.`] : []),
    ...(partitions.length > 1
      ? [`cluster_network: the nodes fall into ${partitions.length} groups that do not reach each other.`]
      : []),
    ...some(bad_nodes, 'bad nodes'),
    ...some(bad_links, 'bad links'),
    ...(failures.length > 0
      ? [`cluster_network: links without a result: ${failures.map(([status, n]) => `${n} ${status}`).join(', ')}.`]
      : []),
  ];
}

const nodes = (count: number): string => (count === 1 ? 'node' : 'nodes');

function some(bad: readonly { message: string }[], what: string): string[] {
  const rest = bad.length - MOST_OF_A_KIND;
  const sentences = bad.slice(0, MOST_OF_A_KIND).map(({ message }) => `cluster_network: ${message}`);
  return rest > 0 ? [...sentences, `cluster_network: ${rest} more ${what} stand in the result.`] : sentences;
}
