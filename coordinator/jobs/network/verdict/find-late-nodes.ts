import { speedGroups } from './flows.ts';
import { fewestLinks, fewestNodes, isMostlyCleared, leastShown } from './judging-limits.ts';
import { ascending, median, quantile, scaledMad } from './quantile.ts';
import type { BlamedNode, JudgedLink, JudgedNode } from './run-verdict.ts';

/** Above the group's reference by this many deviations and by this share of it. */
const DEVIATIONS = 8;
const SHARE = 0.5;
/** Delays add up along a link, so a node's own shows in its quicker links, as its bandwidth does in its faster ones. */
const OWN_QUANTILE = 0.25;
const MAX_PASSES = 5;
/** Later than the latest of a far group by this factor: not one of them. */
const FARTHER = 1.25;

/** Half of the median round trip of a link in its round, microseconds; null where it was not ok. */
export function latencyOf({ attempts }: JudgedLink): number | null {
  const first = attempts.find(({ attempt }) => attempt === 1);
  return first?.status === 'ok' && first.rtt_us !== null ? first.rtt_us.p50 / 2 : null;
}

/** Latencies of each node's links, ascending, by seat. `without` nodes say nothing about the others. */
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

/** Nodes all of whose links take longer than those of their group. `excluded` nodes are not judged and say nothing. */
export function findLateNodes(
  links: readonly JudgedLink[],
  nodes: readonly JudgedNode[],
  excluded: ReadonlySet<number>,
): BlamedNode[] {
  let late: BlamedNode[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const blamed = new Set(late.map(({ node }) => node));
    const latencies = latenciesOf(links, nodes, new Set([...excluded, ...blamed]));
    const next = speedGroups(nodes).flatMap((group) => lateOfGroup(group, latencies, blamed, excluded));
    const isSame = next.length === late.length && next.every(({ node }) => blamed.has(node));
    late = pass === MAX_PASSES - 1 ? next.filter(({ node }) => blamed.has(node)) : next;
    if (isSame) break;
  }
  return late;
}

function lateOfGroup(
  group: readonly JudgedNode[],
  latencies: readonly (readonly number[])[],
  blamed: ReadonlySet<number>,
  excluded: ReadonlySet<number>,
): BlamedNode[] {
  const judged = group.flatMap(({ node }) => {
    const values = latencies[node] ?? [];
    const own = quantile(values, OWN_QUANTILE);
    const measured = quantile(values, 0.5);
    if (values.length < fewestLinks || excluded.has(node) || own === null || measured === null) return [];
    return [{ node, own, measured }];
  });
  if (judged.length < fewestNodes) return [];
  const good = judged.filter(({ node }) => !blamed.has(node));
  const reference = median(good.map(({ own }) => own)) ?? 0;
  const deviation = scaledMad(
    good.map(({ own }) => own),
    reference,
  );
  const limit = reference + Math.max(DEVIATIONS * deviation, SHARE * reference);
  const expected = median(good.map((one) => one.measured)) ?? 0;
  const above = judged.filter(({ own }) => own > limit);
  return withoutFar(above, latencies, limit).map(({ node, measured }) => ({
    node,
    reason: 'latency',
    direction: null,
    factor: measured / expected,
    measured,
    expected,
    unit: 'us',
  }));
}

interface Late {
  node: number;
  own: number;
  measured: number;
}

/**
 * A node's own delay is on all of its links. Where somebody is near to it all the same, the delay is the way to the
 * others: it stands in another room or zone, and so do those as late as most that do.
 */
function withoutFar(above: readonly Late[], latencies: readonly (readonly number[])[], limit: number): Late[] {
  const isNear = ({ node }: Late): boolean => {
    const values = latencies[node] ?? [];
    return values.filter((value) => value <= limit).length >= leastShown(values.length);
  };
  const far = above.filter(isNear);
  const left = above.filter((one) => !isNear(one));
  if (!isMostlyCleared(far.length, left.length)) return left;
  const farthest = Math.max(...far.map(({ measured }) => measured));
  return left.filter(({ measured }) => measured > FARTHER * farthest);
}
