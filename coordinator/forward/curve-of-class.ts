import type { ProviderSourceType } from '../contract/price-type.ts';
import { pointsOf, termStructure, type CurvePoint } from './curve.ts';
import {
  blend,
  providerTerms,
  type Left,
  type NamedRatio,
  type ProviderTerms,
  type RateRow,
} from './provider-terms.ts';

/** All inputs of a curve. */
export interface CurveInputs {
  /** USD on demand, the mean over the providers */
  level: number;
  providers: ProviderTerms[];
  /** blended over the providers, before capping */
  knots: { tenor: number; rate: number; basis: 'observed' | 'ratio' }[];
  ratios: NamedRatio[];
  left: Left[];
}

interface ClassCurve {
  providers: string[];
  longest: number;
  flags: string[];
  inputs: CurveInputs;
  points: CurvePoint[];
}

/**
 * The curve of a kind of provider from their votes, of one day for each provider; null if no provider has terms. Ratios
 * alone make no curve: at least one provider of the class must publish a rate.
 */
export function curveOfClass(
  rows: readonly RateRow[],
  { sellers, named }: { sellers: ProviderSourceType; named: readonly NamedRatio[] },
): ClassCurve | null {
  const read = [...Map.groupBy(rows, ({ provider }) => provider).values()].map(providerTerms);
  const left = read.filter((one): one is Left => 'reason' in one);
  const providers = read.filter((one): one is ProviderTerms => !('reason' in one));
  if (providers.length === 0) return null;
  const { level, knots, used } = blend(providers, named);
  const curve = termStructure(level, knots);
  const flags = [
    ...left.map(({ provider, reason }) => `${provider} is left out: ${reason}`),
    ...(providers.length === 1 ? [`based on one provider: the list prices of one ${sellers.toLowerCase()}`] : []),
    ...(curve.startsBelowOnDemand ? ['the curve begins below the price on demand: its first slope was limited'] : []),
    ...curve.capped.map(
      (tenor) => `the total cost of ${tenor} months was lowered: a longer contract costs less in total`,
    ),
  ];
  return {
    providers: providers.map(({ provider }) => provider),
    longest: curve.longest,
    flags,
    inputs: { level, providers, knots, ratios: used, left },
    points: pointsOf(curve),
  };
}

/**
 * How many providers' own rates of a term are behind a point of the curve: at 0 those with prices on demand, at a knot
 * those that publish it or whose ratio fills it, between two knots the smaller of the two counts.
 */
export function termProviders({ providers, knots: given, ratios }: CurveInputs): (tenor: number) => number {
  const knots = given.toSorted((a, b) => a.tenor - b.tenor);
  const own = knots.map(({ tenor, basis }) =>
    basis === 'ratio'
      ? ratios.filter((ratio) => ratio.tenor === tenor).length
      : providers.filter((provider) => provider.ratios.some((ratio) => ratio.tenor === tenor)).length,
  );
  const paid = knots.map(({ tenor, rate }) => tenor * rate);
  const ofKnots = knots.map(({ tenor }, at) => {
    // A capped knot takes its total cost from a later knot, so it has at most as many providers behind it as that one.
    const source = paid.indexOf(Math.min(...paid.slice(at)), at);
    return { tenor, count: Math.min(own[at] ?? 0, own[source] ?? 0) };
  });
  const counts = [{ tenor: 0, count: providers.length }, ...ofKnots];
  return (tenor) => {
    // At a knot, both are that knot; after the last one there is nothing above.
    const below = counts.findLast((one) => one.tenor <= tenor);
    const above = counts.find((one) => one.tenor >= tenor);
    return Math.min(below?.count ?? 0, above?.count ?? Infinity);
  };
}
