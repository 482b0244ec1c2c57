import { ascending, linearMedian, orNull, quantile } from '../../figures/statistics.ts';
import { farEnd, farSide, isTelling, ownEnd, type Flow, type Side } from './flows.ts';
import type { JudgedNode } from './run-verdict.ts';

/**
 * A link's bandwidth is the minimum of both ends' and the path's, so a node's own capability shows in its better links:
 * the upper quartile is valid while fewer than three quarters of its peers are slow.
 */
const CAPABILITY_QUANTILE = 0.75;

export type Blamed = Readonly<Record<Side, ReadonlySet<number>>>;

/** Rates of one side of each node, ascending, by seat: of links to nodes at least as fast and not blamed. */
export function tellingRates(
  flows: readonly Flow[],
  nodes: readonly JudgedNode[],
  side: Side,
  blamed: Blamed,
): number[][] {
  const rates = nodes.map((): number[] => []);
  for (const flow of flows) {
    const own = ownEnd(flow, side);
    const far = farEnd(flow, side);
    if (isTelling(nodes[own], nodes[far]) && !blamed[farSide(side)].has(far)) rates[own]?.push(flow.gbps);
  }
  return rates.map(ascending);
}

/** Rates from which a node's capability is derived: the informative ones, or all if there are fewer than `fewest`. */
export function ratesOrAll(
  flows: readonly Flow[],
  nodes: readonly JudgedNode[],
  side: Side,
  blamed: Blamed,
  fewest: number,
): number[][] {
  const all = nodes.map((): number[] => []);
  for (const flow of flows) all[ownEnd(flow, side)]?.push(flow.gbps);
  return tellingRates(flows, nodes, side, blamed).map((own, seat) =>
    own.length >= fewest ? own : ascending(all[seat] ?? []),
  );
}

/** Median of the upper quarter of a normal distribution over its upper quartile, in standard deviations: 1.150 - 0.674. */
const MEDIAN_ABOVE_QUARTILE = 0.476;

/**
 * Standard deviation of the logarithm of a rate, from the rates above their node's capability: those vary only by
 * chance, while rates below it are affected by bad peers, bad links and contention. 0 if unknown.
 */
export function rateNoise(rates: readonly (readonly number[])[]): number {
  const above = rates.flatMap((own) => {
    const reach = capability(own);
    if (reach === null || reach <= 0) return [];
    // a quartile that is one of the rates is not above itself; further equal rates have a spread of 0
    const first = own.findIndex((rate) => rate >= reach);
    return own.slice(own[first] === reach ? first + 1 : first).map((rate) => Math.log(rate / reach));
  });
  return (orNull(linearMedian(above)) ?? 0) / MEDIAN_ABOVE_QUARTILE;
}

/** Gb/s; null without rates. */
export const capability = (rates: readonly number[]): number | null => orNull(quantile(rates, CAPABILITY_QUANTILE));

/** An expected rate, and the number of measured rates that it is derived from. */
export interface ExpectedRate {
  gbps: number;
  rates: number;
}

/**
 * The capability shown by the other links, so that a link is not compared with itself; null without others. `rate` is
 * the link's own, which is among the rates if it is informative.
 */
export function capabilityWithout(rates: readonly number[], rate: number): ExpectedRate | null {
  const place = rates.indexOf(rate);
  const gbps = orNull(quantile(rates, CAPABILITY_QUANTILE, place === -1 ? null : place));
  return gbps === null ? null : { gbps, rates: place === -1 ? rates.length : rates.length - 1 };
}
