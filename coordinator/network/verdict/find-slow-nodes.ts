import { linearMedian, orNull, scaledMad } from '../../figures/statistics.ts';
import { speedGroups, type Flow, type Side } from './flows.ts';
import { fewestGoodLinks, fewestLinks, fewestNodes } from './judging-limits.ts';
import { capability, rateNoise, tellingRates, type Blamed } from './node-rates.ts';
import type { BlamedNode, JudgedNode } from './run-verdict.ts';

/** Share of the group's median below which a node is slow; in a group without spread this alone decides. */
const SLOW_BELOW = 0.85;
/**
 * A slow node is also this many deviations below it: of the group's nodes, or of the node's own links if those vary
 * more.
 */
const DEVIATIONS = 4;
/** Standard error of an upper quartile of normal values, times the root of their number: sqrt(0.1875) / 0.3178. */
const QUARTILE_ERROR = 1.36;
const MAX_PASSES = 5;

/** Expected and actual rate of one side of a node, Gb/s. */
export interface SlowSide {
  node: number;
  side: Side;
  measured: number;
  expected: number;
  /** number of its links; `measured` is their upper quartile */
  links: number;
  /** number of nodes; `expected` is the median of their upper quartiles */
  peers: number;
}

/**
 * Sides of nodes that are slow compared with their group of equal nominal speed. Links to nodes already blamed are left
 * out in the next pass, until nothing changes, since they say nothing about their peers. `excluded` nodes are not
 * judged, and their links ignored.
 */
export function findSlowSides(
  flows: readonly Flow[],
  nodes: readonly JudgedNode[],
  excluded: ReadonlySet<number>,
): SlowSide[] {
  let slow: SlowSide[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const blamed = blamedSides(slow, excluded);
    const next = (['tx', 'rx'] as const).flatMap((side) => slowOfSide(flows, nodes, side, blamed, excluded));
    const known = new Set(slow.map(keyOf));
    const isSame = next.length === slow.length && next.every((one) => known.has(keyOf(one)));
    // a node blamed only in every other pass is not blamed
    slow = pass === MAX_PASSES - 1 ? next.filter((one) => known.has(keyOf(one))) : next;
    if (isSame) break;
  }
  return slow;
}

const keyOf = ({ node, side }: SlowSide): string => `${side}${node}`;

export const blamedSides = (slow: readonly SlowSide[], excluded: ReadonlySet<number>): Blamed => {
  const of = (side: Side) => new Set([...excluded, ...slow.flatMap((one) => (one.side === side ? one.node : []))]);
  return { tx: of('tx'), rx: of('rx') };
};

function slowOfSide(
  flows: readonly Flow[],
  nodes: readonly JudgedNode[],
  side: Side,
  blamed: Blamed,
  excluded: ReadonlySet<number>,
): SlowSide[] {
  const rates = tellingRates(flows, nodes, side, blamed);
  const all = tellingRates(flows, nodes, side, { tx: excluded, rx: excluded });
  const noise = rateNoise(rates);
  return speedGroups(nodes).flatMap((group) => {
    const judged = group.flatMap(({ node }) => {
      const [own = [], every = []] = [rates[node], all[node]];
      // with too few links to good nodes it cannot be blamed, but still counts for the reference
      const isSure = own.length >= fewestGoodLinks;
      const measured = every.length < fewestLinks || excluded.has(node) ? null : capability(isSure ? own : every);
      return measured === null ? [] : [{ node, side, measured, links: isSure ? own.length : 0 }];
    });
    if (judged.length < fewestNodes) return [];
    const good = judged.flatMap(({ node, measured }) => (blamed[side].has(node) ? [] : measured));
    const expected = orNull(linearMedian(good)) ?? 0;
    const spread = scaledMad(good, expected) / expected;
    return judged.flatMap((one) => {
      const { links } = one;
      if (links === 0) return [];
      // with few nodes or links the quartile varies by chance
      const deviation = Math.max(spread, (QUARTILE_ERROR * noise) / Math.sqrt(links));
      const limit = expected * Math.min(SLOW_BELOW, 1 - DEVIATIONS * deviation);
      return one.measured < limit ? [{ ...one, expected, peers: good.length }] : [];
    });
  });
}

export const factorOf = ({ measured, expected }: SlowSide): number => measured / expected;

/** One entry per node, with the figures of its worse side; the direction is `both` if both are slow. */
export function blameSlow(slow: readonly SlowSide[]): BlamedNode[] {
  return [...Map.groupBy(slow, ({ node }) => node)].map(([node, sides]) => {
    const worst = sides.reduce((a, b) => (factorOf(b) < factorOf(a) ? b : a));
    const { measured, expected, links, peers } = worst;
    const direction = sides.length === 2 ? 'both' : worst.side;
    return { node, reason: 'slow', direction, factor: factorOf(worst), measured, expected, links, peers, unit: 'Gb/s' };
  });
}
