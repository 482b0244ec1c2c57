import type { BadLink, BadNode, NetworkNode } from '../../contract/cluster-network.ts';
import type { BlamedLink, BlamedNode } from '../verdict/run-verdict.ts';
import { describeBadLink, describeBadNode, SHORT_ONLY } from './describe-bad.ts';
import type { LinkRow } from '../queries/links.ts';
import { mergeReports } from './merge-reports.ts';
import type { RunInput } from './run-input.ts';

/**
 * Maximum number of bad links in a result, worst first. Two halves of 256 nodes that cannot reach each other have
 * 16,384.
 */
const MAX_BAD_LINKS = 300;

/**
 * Bad nodes with name and sentence: those that the verdicts blame, then lost and unreachable ones, then those that no
 * other node can dial. A lost or unreachable node is not also blamed for its failed links.
 */
export function badNodesOf({ judgement, reach }: RunInput, nodes: readonly NetworkNode[]): BadNode[] {
  const label = labels(nodes);
  const isAbsent = (node: number): boolean => nodes[node]?.state !== 'measured';
  const all = (judgement?.bad_nodes ?? []).filter(({ node, reason }) => reason !== 'failing' || !isAbsent(node));
  const add = (node: number, reason: BlamedNode['reason'], direction: BlamedNode['direction']): void => {
    if (all.some((bad) => bad.node === node && bad.reason === reason)) return;
    all.push({ node, reason, direction, factor: null, measured: null, expected: null, unit: null });
  };
  for (const { node, state } of nodes) if (state !== 'measured') add(node, state, null);
  for (const node of reach?.inbound_blocked ?? []) if (!isAbsent(node)) add(node, 'inbound_blocked', 'rx');
  return all.flatMap((bad) => {
    const node = nodes[bad.node];
    if (!node) return [];
    const message = describeBadNode(label(bad.node), bad, { ok: node.links_ok, failed: node.links_failed });
    return [{ ...bad, machine_uuid: node.machine_uuid, name: node.name, message }];
  });
}

/** Bad links with the names of their ends and a sentence. */
export function badLinksOf(
  { judgement, links }: RunInput,
  nodes: readonly NetworkNode[],
): { listed: BadLink[]; left_out: number } {
  const label = labels(nodes);
  const rows = Map.groupBy(links, ({ link }) => link);
  const bad = judgement?.bad_links ?? [];
  const listed = bad.slice(0, MAX_BAD_LINKS).flatMap((blamed) => {
    const attempts = rows.get(blamed.link) ?? [];
    const from = nodes[attempts[0]?.source ?? -1];
    const to = nodes[attempts[0]?.target ?? -1];
    if (!from || !to) return [];
    const named = nameLink(blamed, { from, to, label, attempts: attempts.filter(hasRates).length });
    return blamed.verdict === 'unreachable' && attempts.some(passesShortOnly)
      ? [{ ...named, message: `${named.message} ${SHORT_ONLY}` }]
      : [named];
  });
  return { listed, left_out: bad.length - Math.min(bad.length, MAX_BAD_LINKS) };
}

/** Whether round trips were measured, but no transfer arrived in either direction. */
function passesShortOnly(row: LinkRow): boolean {
  const { rtt_us, forward_gbps, reverse_gbps } = mergeReports(row);
  return rtt_us !== null && forward_gbps === null && reverse_gbps === null;
}

/** Whether verdicts use the rates of this attempt: in its round, or alone on the network. */
const hasRates = (row: LinkRow): boolean =>
  (row.phase === 'rounds' || row.phase === 'retests') && mergeReports(row).status === 'ok';

interface Naming {
  from: NetworkNode;
  to: NetworkNode;
  label: Label;
  /** number of attempts with rates */
  attempts: number;
}

function nameLink({ link, ...blamed }: BlamedLink, { from, to, label, attempts }: Naming): BadLink {
  return {
    link_id: link,
    source: from.machine_uuid,
    target: to.machine_uuid,
    source_node: from.node,
    target_node: to.node,
    ...blamed,
    message: describeBadLink(label(from.node), label(to.node), { link, ...blamed, attempts }),
  };
}

type Label = (node: number) => string;

/** The name, with the node's number if several nodes have the same name, as cloned images do. */
export function labels(nodes: readonly NetworkNode[]): Label {
  const sharing = Map.groupBy(nodes, ({ name }) => name);
  return (node) => {
    const name = nodes[node]?.name ?? `node ${node}`;
    return (sharing.get(name)?.length ?? 0) > 1 ? `${name} (node ${node})` : name;
  };
}
