import { ascending, linearMedian, orNull, quantile, scaledMad } from '../../figures/statistics.ts';
import { speedGroups } from './flows.ts';
import { fewestGoodLinks, fewestLinks, fewestNodes, leastShown } from './judging-limits.ts';
import type { BlamedNode, JudgedLink, JudgedNode } from './run-verdict.ts';

/** A late node is above the group's reference by this many deviations and by this share of it. */
const DEVIATIONS = 8;
const SHARE = 0.5;
const MAX_PASSES = 5;
/** A node later than the latest of a far group by this factor does not belong to it. */
const FARTHER = 1.25;

/** Half of the median round trip of a link in its round, microseconds; null if it was not ok. */
function latencyOf({ attempts }: JudgedLink): number | null {
  const first = attempts.find(({ attempt }) => attempt === 1);
  return first?.status === 'ok' && first.rtt_us !== null ? first.rtt_us.p50 / 2 : null;
}

/** Latencies of each node's links, ascending, by seat. Links to `without` nodes are ignored. */
export function latenciesOf(
  links: readonly JudgedLink[],
  nodes: readonly JudgedNode[],
  without: ReadonlySet<number>,
): number[][] {
  const latencies = nodes.map((): number[] => []);
  for (const link of links) {
    const latency = latencyOf(link);
    if (latency === null) continue;
    if (!without.has(link.target)) latencies[link.source]?.push(latency);
    if (!without.has(link.source)) latencies[link.target]?.push(latency);
  }
  return latencies.map(ascending);
}

/**
 * Nodes whose links all have a higher latency than those of their group. `excluded` nodes are not judged, and their
 * links ignored.
 */
export function findLateNodes(
  links: readonly JudgedLink[],
  nodes: readonly JudgedNode[],
  excluded: ReadonlySet<number>,
): BlamedNode[] {
  let late: BlamedNode[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const blamed = new Set(late.map(({ node }) => node));
    const latencies = latenciesOf(links, nodes, new Set([...excluded, ...blamed]));
    const all = latenciesOf(links, nodes, excluded);
    const evidence = { links, latencies, all, blamed, excluded };
    const next = speedGroups(nodes).flatMap((group) => lateOfGroup(group, evidence));
    const isSame = next.length === late.length && next.every(({ node }) => blamed.has(node));
    late = pass === MAX_PASSES - 1 ? next.filter(({ node }) => blamed.has(node)) : next;
    if (isSame) break;
  }
  return late;
}

interface Evidence {
  links: readonly JudgedLink[];
  /** by node: of its links to nodes that are not blamed, and of all its links */
  latencies: readonly (readonly number[])[];
  all: readonly (readonly number[])[];
  blamed: ReadonlySet<number>;
  excluded: ReadonlySet<number>;
}

function lateOfGroup(
  group: readonly JudgedNode[],
  { links, latencies, all, blamed, excluded }: Evidence,
): BlamedNode[] {
  const judged = group.flatMap(({ node }) => {
    const [good = [], every = []] = [latencies[node], all[node]];
    // with too few links to good nodes it cannot be blamed, but still counts for the reference
    const isSure = good.length >= fewestGoodLinks;
    const measured = orNull(quantile(isSure ? good : every, 0.5));
    if (every.length < fewestLinks || excluded.has(node) || measured === null) return [];
    return [{ node, measured, isSure, links: good.length }];
  });
  if (judged.length < fewestNodes) return [];
  const medians = judged.flatMap(({ node, measured }) => (blamed.has(node) ? [] : measured));
  const expected = orNull(linearMedian(medians)) ?? 0;
  const limit = expected + Math.max(DEVIATIONS * scaledMad(medians, expected), SHARE * expected);
  const above = judged.filter(({ measured, isSure }) => isSure && measured > limit);
  return withoutFar(above, links, latencies, limit).map(({ node, measured, links }) => ({
    node,
    reason: 'latency',
    direction: null,
    factor: measured / expected,
    measured,
    expected,
    links,
    peers: medians.length,
    unit: 'us',
  }));
}

interface Late {
  node: number;
  measured: number;
  /** number of links; `measured` is their median */
  links: number;
}

/**
 * A node's own delay affects all of its links. If it nevertheless has a fast link to some node, the delay is that of the
 * path to the others: it is in another room or zone. If links among late nodes are mostly fast, those nodes are there
 * together, and so are all that are no later than the latest of them: the nodes' own delays would add up.
 */
function withoutFar(
  above: readonly Late[],
  links: readonly JudgedLink[],
  latencies: readonly (readonly number[])[],
  limit: number,
): Late[] {
  const isNear = ({ node }: Late): boolean => {
    const values = latencies[node] ?? [];
    return values.filter((value) => value <= limit).length >= leastShown(values.length);
  };
  const late = new Map(above.map((one) => [one.node, one]));
  const among = links.flatMap((link) => {
    const latency = latencyOf(link);
    const [source, target] = [late.get(link.source), late.get(link.target)];
    return source && target && latency !== null ? [{ latency, ends: [source, target] }] : [];
  });
  const quick = among.filter(({ latency }) => latency <= limit);
  const left = above.filter((one) => !isNear(one));
  if (2 * quick.length <= among.length) return left;
  const farthest = Math.max(...quick.flatMap(({ ends }) => ends.map(({ measured }) => measured)));
  return left.filter(({ measured }) => measured > FARTHER * farthest);
}
