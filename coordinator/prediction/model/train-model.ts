import { coverageByProvider, judgeMonth, LEAST_OTHERS, scoreOf } from './backtest.ts';
import { baselinesOf } from './baselines.ts';
import { poolOf, type Pool } from './conformal.ts';
import { designOf } from './design.ts';
import { fit } from './fit.ts';
import { coefficientsOf, leaveOut } from './leave-out.ts';
import type { ModelDocument, Offer, ProviderRatio, Support } from './model-document.ts';
import { sellerShares } from './seller-shares.ts';
import { newestDay, voteKey, votesWithin, type Vote } from './vote.ts';

/** For price types with fewer providers the interval is shown, but its coverage is not judged. */
export const LEAST_JUDGED = 10;

/**
 * A model of the year up to the newest vote, with everything that answers need. The same votes in the same order give the same
 * document to the last digit. Null if there are no votes.
 */
export function trainModel(given: readonly Vote[], ratios: readonly ProviderRatio[]): ModelDocument | null {
  const asOf = newestDay(given);
  if (asOf === null) return null;
  const votes = votesWithin(given, asOf);
  const design = designOf(votes, asOf);
  const coefficients = coefficientsOf(design, fit(design));
  const residuals = [...leaveOut(votes, asOf)].flat();
  const baselines = baselinesOf(votes);
  const types = [...new Set(votes.map(({ price_type }) => price_type))].toSorted((a, b) => a - b);
  const pools = types.map((type): [number, { known: Pool; any: Pool }] => {
    const ofType = residuals.filter(({ price_type }) => price_type === type);
    const sold = ofType.filter((one) => baselines(one).others >= LEAST_OTHERS);
    const scored = sold.length > 0 ? sold : ofType;
    const pool = (name: 'known' | 'any'): Pool =>
      poolOf(scored.map((one) => ({ provider: one.provider, residual: one[name], weight: 1 })));
    return [type, { known: pool('known'), any: pool('any') }];
  });
  const judged = judgeMonth(votes, { asOf, from: '', residuals });
  const onDemand = judged.filter(({ price_type }) => price_type === 0);
  const whole = judged.length > 0 ? scoreOf(judged) : null;
  return {
    format: 1,
    as_of: asOf,
    votes: new Set(votes.map(voteKey)).size,
    providers: new Set(votes.map(({ provider }) => provider)).size,
    most_cards: votes.reduce((most, { cards }) => Math.max(most, cards ?? 1), 1),
    coefficients: [...coefficients].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    pools,
    support: supportOf(votes),
    ratios: [...ratios],
    offers: offersOf(votes),
    backtest: {
      votes: whole?.votes ?? 0,
      mape: whole?.mape ?? null,
      median_ape: whole?.median_ape ?? null,
      coverage_80: coverageByProvider(judged),
      judged_coverage:
        new Set(onDemand.map(({ provider }) => provider)).size >= LEAST_JUDGED ? coverageByProvider(onDemand) : null,
    },
  };
}

function supportOf(votes: readonly Vote[]): Support[] {
  const sharesOf = sellerShares(votes);
  const ofChip = Map.groupBy(votes, ({ chip }) => chip);
  return [...Map.groupBy(votes, ({ product }) => product)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([product, of]) => {
      const { chip = '' } = of[0] ?? {};
      const beside = ofChip.get(chip) ?? of;
      const distinct = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
      return {
        product,
        chip,
        providers: distinct(of.map(({ provider }) => provider)).length,
        chip_providers: distinct(beside.map(({ provider }) => provider)).length,
        countries: distinct(beside.map(({ country }) => country)).filter((country) => country !== 'ZZ'),
        price_types: [...new Set(beside.map(({ price_type }) => price_type))].toSorted((a, b) => a - b),
        shares: sharesOf({ product, chip }),
      };
    });
}

/** The newest vote of each provider, product, price type and country. */
function offersOf(votes: readonly Vote[]): Offer[] {
  const newest = new Map<string, Vote>();
  for (const vote of votes) {
    const key = `${vote.product}\t${vote.price_type}\t${vote.provider}\t${vote.country}`;
    const known = newest.get(key);
    if (known === undefined || vote.day > known.day) newest.set(key, vote);
  }
  return [...newest]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { product, price_type, provider, sellers, country, cards, day, price, days }]) => ({
      product,
      price_type,
      provider,
      sellers,
      country,
      cards,
      day,
      price,
      ...(days === undefined ? {} : { days }),
    }));
}
