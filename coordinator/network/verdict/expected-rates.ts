import type { SlowSide } from './find-slow-nodes.ts';
import type { Flow, Side } from './flows.ts';
import { capabilityWithout, ratesOrAll, type Blamed, type ExpectedRate } from './node-rates.ts';
import type { JudgedNode } from './run-verdict.ts';

/** Expected rate of a direction of a link; null if its ends have no other link to derive it from. */
export type ExpectedRates = (flow: Flow) => ExpectedRate | null;

/** With fewer other links than this, a link's expectation is derived from all of the node's links. */
const FEWEST_OTHERS = 2;

/**
 * The smaller of the sender's sending and the receiver's receiving rate on their other links, with the number of links
 * of that end. A node that only looked slow because of contention is expected to reach its group's rate, which is
 * derived from one rate of each of the group's nodes.
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
  const better = new Map(
    contended.map(({ side, node, expected, peers }) => [`${side}${node}`, { gbps: expected, rates: peers }]),
  );
  const reach = (side: Side, node: number, gbps: number): ExpectedRate | null =>
    better.get(`${side}${node}`) ?? capabilityWithout(rates[side][node] ?? [], gbps);
  return ({ from, to, gbps }) => {
    const tx = reach('tx', from, gbps);
    const rx = reach('rx', to, gbps);
    if (tx === null || rx === null) return null;
    return rx.gbps < tx.gbps ? rx : tx;
  };
}
