import type { RunSummary } from './summarise-run.ts';

/** Bad nodes and links named one by one; the rest is counted. */
const MAX_NAMED = 10;
/** Groups of nodes named in one sentence, and nodes of a group. */
const MAX_GROUPS = 6;
const MAX_MEMBERS = 8;

/**
 * What a reader of the job must know of one cluster_network, in plain sentences for the job's warnings; none where every
 * link of the graph is measured and good. Links that were slow only beside others are no fault and no warning: they stand
 * in the result.
 */
export function networkWarnings(run: {
  outcome: 'completed' | 'failed' | 'skipped';
  message: string | null;
  summary: RunSummary | null;
}): string[] {
  const { outcome, message, summary } = run;
  const warnings: string[] = [];
  if (outcome === 'skipped') warnings.push(`cluster_network was not measured: ${message ?? 'no reason was given'}`);
  if (outcome === 'failed') warnings.push(`cluster_network failed: ${message ?? 'no reason was given'}`);
  if (summary === null) return warnings;
  if (summary.missing_nodes > 0)
    warnings.push(
      `cluster_network: ${summary.missing_nodes} of ${summary.missing_nodes + summary.node_count} nodes did not join in time.`,
    );
  warnings.push(...partitionWarning(summary));
  warnings.push(...capped(summary.bad_nodes, 'nodes are bad as well'));
  const confirmed = summary.bad_links.filter(({ verdict }) => verdict !== 'unconfirmed' && verdict !== 'unreachable');
  warnings.push(...capped(confirmed, 'links are bad as well'));
  if (summary.unconfirmed_links > 0)
    warnings.push(
      `${summary.unconfirmed_links} ${plural(summary.unconfirmed_links, 'link was', 'links were')} slow and not measured again alone: other traffic is not ruled out.`,
    );
  warnings.push(...failedWarning(summary));
  return warnings;
}

function capped(bad: readonly { message: string }[], rest: string): string[] {
  const more = bad.length - MAX_NAMED;
  const named = bad.slice(0, MAX_NAMED).map(({ message }) => message);
  return more > 0 ? [...named, `${more} more ${rest}; the result of cluster_network names them.`] : named;
}

function partitionWarning({ partitions, nodes }: RunSummary): string[] {
  if (partitions.length < 2) return [];
  const groups = partitions.slice(0, MAX_GROUPS).map((group) => {
    const names = group.slice(0, MAX_MEMBERS).map((node) => nodes[node]?.name ?? `node ${node}`);
    const more = group.length - names.length;
    return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  });
  const more = partitions.length - groups.length;
  return [
    `The nodes form ${partitions.length} groups that do not reach each other: ${groups.join(' | ')}${more > 0 ? ` | and ${more} more` : ''}.`,
  ];
}

function failedWarning({ links_failed, total_links_tested }: RunSummary): string[] {
  const failed = Object.entries(links_failed).toSorted(([, a], [, b]) => b - a);
  const count = failed.reduce((sum, [, links]) => sum + links, 0);
  if (count === 0) return [];
  const by = failed.map(([status, links]) => `${status} ${links}`).join(', ');
  return [`${count} of ${count + total_links_tested} links could not be measured: ${by}.`];
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
