import type { SlowSide } from './find-slow-nodes.ts';
import type { Flow, Side } from './flows.ts';
import { capabilityWithout, ratesOrAll, type Blamed } from './node-rates.ts';
import type { JudgedNode } from './run-verdict.ts';

/** Gb/s that a direction of a link should reach; null if its ends have no other link to tell. */
export type ExpectedRates = (flow: Flow) => number | null;

/** Links beside its own without which a link's expectation is read from all of a node's links. */
const FEWEST_OTHERS = 2;

/**
 * The lesser of what the sender sends and the receiver receives on their other links. Who only looked slow because its way
 * was contended is expected to reach what its group does.
 */
export function expectedRates(
  flows: readonly Flow[],
  nodes: readonly JudgedNode[],
  blamed: Blamed,
  contended: readonly SlowSide[],
): ExpectedRates {
  const rates: Record<Side, number[][]> = {
    tx: ratesOrAll(flows, nodes, 'tx', blamed, FEWEST_OTHERS + 1),
    rx: ratesOrAll(flows, nodes, 'rx', blamed, FEWEST_OTHERS + 1),
  };
  const better = new Map(contended.map(({ side, node, expected }) => [`${side}${node}`, expected]));
  const reach = (side: Side, node: number, gbps: number): number | null =>
    better.get(`${side}${node}`) ?? capabilityWithout(rates[side][node] ?? [], gbps);
  return ({ from, to, gbps }) => {
    const tx = reach('tx', from, gbps);
    const rx = reach('rx', to, gbps);
    return tx === null || rx === null ? null : Math.min(tx, rx);
  };
}
