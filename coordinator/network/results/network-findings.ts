import type { BadLink, BadNode, ClusterNetworkResults } from '../../contract/cluster-network.ts';
import type { RunFinding } from '../../contract/judgement.ts';
import { foundBy, type RuleId } from '../../figures/findings/rules.ts';
import { describeBadNode } from './describe-bad.ts';
import { labels } from './name-bad.ts';

/** Findings of one kind that a run makes; the result lists all. */
const MOST_OF_A_KIND = 50;

interface EndedNetwork {
  outcome: 'completed' | 'failed' | 'skipped';
  message: string | null;
  summary: Omit<ClusterNetworkResults, 'measurements' | 'measurements_total' | 'measurements_url'> | null;
}

/**
 * The problems of a job's links: bad nodes and links, groups that do not reach each other, what was not measured.
 * @param numberOf the number of a task's node in the job; a run numbers its nodes by itself
 */
export function networkFindings(
  { outcome, message, summary }: EndedNetwork,
  numberOf: (taskId: string) => number | null,
): RunFinding[] {
  const failed =
    outcome === 'completed' || message === null
      ? []
      : [finding('network_incomplete', 'check', [], message.replace(/^cluster_network:? /, ''))];
  if (summary === null) return failed;
  const numbers = summary.nodes.map(({ task_id }) => numberOf(task_id));
  const places = (seats: readonly number[]): number[] => seats.flatMap((seat) => numbers[seat] ?? []);
  const failures = Object.entries(summary.links_failed);
  return [
    ...failed,
    ...(summary.missing_nodes > 0
      ? [
          finding(
            'network_incomplete',
            'check',
            [],
            `${counted(summary.missing_nodes, 'node')} did not take part in cluster_network`,
          ),
        ]
      : []),
    ...(summary.partitions.length > 1
      ? [
          finding(
            'network_partition',
            'bad',
            places(summary.partitions.toSorted((a, b) => a.length - b.length)[0] ?? []),
            `the nodes fall into ${summary.partitions.length} groups that do not reach each other`,
          ),
        ]
      : []),
    ...summary.bad_nodes.slice(0, MOST_OF_A_KIND).map((bad) => ofNode(bad, summary, places([bad.node]))),
    ...summary.bad_links.slice(0, MOST_OF_A_KIND).map((bad) => ofLink(bad, summary, numbers)),
    ...(failures.length > 0
      ? [
          finding(
            'network_incomplete',
            'check',
            [],
            `links without a result: ${failures.map(([status, n]) => `${n} ${status}`).join(', ')}`,
          ),
        ]
      : []),
  ];
}

const finding = (rule: RuleId, grade: RunFinding['grade'], nodes: number[], evidence: string): RunFinding =>
  foundBy(rule, evidence.replace(/\.$/, '') || 'no reason was given', { grade, nodes });

/** A node at less than this share of what its peers reach cannot be used as one of them. */
const BAD_FACTOR = 0.8;

function ofNode(bad: BadNode, { nodes }: NonNullable<EndedNetwork['summary']>, places: number[]): RunFinding {
  const { links_ok: ok = 0, links_failed: failed = 0 } = nodes[bad.node] ?? {};
  const words = describeBadNode('it', bad, { ok, failed });
  const isMild = bad.reason === 'latency' || (bad.reason === 'slow' && (bad.factor ?? 0) >= BAD_FACTOR);
  return finding('network_node', isMild ? 'check' : 'bad', places, words.replace(/^it /, ''));
}

function ofLink(
  bad: BadLink,
  { nodes }: NonNullable<EndedNetwork['summary']>,
  numbers: readonly (number | null)[],
): RunFinding {
  const label = labels(nodes);
  const name = (seat: number): string => `node ${numbers[seat] ?? seat}`;
  const [source, target] = [bad.source_node, bad.target_node];
  const paths = [
    [`${label(source)} to ${label(target)}`, `${name(source)} to ${name(target)}`],
    [`${label(target)} to ${label(source)}`, `${name(target)} to ${name(source)}`],
    [`${label(source)} with ${label(target)}`, `${name(source)} with ${name(target)}`],
  ] as const;
  const [said, link] = paths.find(([words]) => bad.message.startsWith(words)) ?? [
    '',
    `${name(source)} with ${name(target)}`,
  ];
  const grade = bad.verdict === 'unconfirmed' || bad.verdict === 'unstable' ? 'check' : 'bad';
  const places = [numbers[source], numbers[target]].flatMap((number) => number ?? []);
  const words = bad.message.slice(said.length).replace(/^[ :]+/, '');
  return { ...finding('network_link', grade, places, words), link };
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
