import type { Prediction } from '../contract/prediction.ts';
import { hotAnswers, type HotAnswers, hotCopy } from '../platform/hot-copy.ts';
import { intervalOf, quantileOf, type Pool } from './model/conformal.ts';
import type { ModelDocument, Offer, ProviderRatio, Support } from './model/model-document.ts';
import { regionOf } from './model/regions.ts';
import type { Coefficients } from './model/design.ts';
import { findLatest, findServing } from './queries.ts';

/** Quantiles of residuals, to be added to a log price, and how many providers and residuals they come from. */
export interface Spread {
  providers: number;
  residuals: number;
  /** percentiles 5, 10, 25, 50, 75, 90, 95 */
  logs: readonly number[];
}

/** An offer with the properties it is compared by, and as it is shown. */
export interface KnownOffer {
  provider: string;
  sellers: string;
  country: string;
  region: string | null;
  cards: number | null;
  shown: Prediction['comparable_offers'][number];
}

/** The serving model, prepared for lookups. */
export interface Model {
  model_version: string;
  trained_at: string;
  as_of: string;
  backtest: ModelDocument['backtest'];
  most_cards: number;
  coefficients: Coefficients;
  support: ReadonlyMap<string, Support>;
  /** by price type: with the kind of provider known, and unknown */
  spreads: ReadonlyMap<number, { known: Spread; any: Spread }>;
  /** by product and price type, the newest first */
  offers: ReadonlyMap<string, KnownOffer[]>;
  ratios: ReadonlyMap<string, ProviderRatio[]>;
}

export interface HotModel {
  /** null if no model has been trained, or none has passed */
  model: Model | null;
  /** why there is no model */
  why: string | null;
  /** cached answers for one state of the market, whose products are part of them */
  answersWith: (market: object) => HotAnswers;
}

/** The serving model in memory; every replica checks twice a second whether another one serves. */
export const hotModel = hotCopy<HotModel>({
  area: 'prediction',
  reader:
    ({ sql }) =>
    async () => {
      const stored = await findServing(sql);
      const kept = new WeakMap<object, HotAnswers>();
      const answersWith = (market: object): HotAnswers => {
        const answers = kept.get(market) ?? hotAnswers();
        kept.set(market, answers);
        return answers;
      };
      if (stored !== null) return { model: readModel(stored), why: null, answersWith };
      const latest = await findLatest(sql);
      const why = latest === null ? 'no model has been trained yet' : `the last model was rejected: ${latest.why}`;
      return { model: null, why, answersWith };
    },
});

function readModel(stored: { model_version: string; trained_at: Date; document: Buffer }): Model {
  const document = JSON.parse(stored.document.toString()) as ModelDocument;
  const newestFirst = document.offers.toSorted((a, b) => (a.day === b.day ? 0 : a.day > b.day ? -1 : 1));
  return {
    model_version: stored.model_version,
    trained_at: stored.trained_at.toISOString(),
    as_of: document.as_of,
    backtest: document.backtest,
    most_cards: document.most_cards,
    coefficients: new Map(document.coefficients),
    support: new Map(document.support.map((one) => [one.product, one])),
    spreads: new Map(
      document.pools.map(([type, { known, any }]) => [type, { known: spreadOf(known), any: spreadOf(any) }]),
    ),
    offers: new Map(
      [...Map.groupBy(newestFirst, ({ product, price_type }) => `${product} ${price_type}`)].map(([key, of]) => [
        key,
        of.map(knownOffer),
      ]),
    ),
    ratios: Map.groupBy(document.ratios, ({ product }) => product),
  };
}

const knownOffer = ({ provider, sellers, country, cards, day, price, days }: Offer): KnownOffer => ({
  provider,
  sellers,
  country,
  region: regionOf(country),
  cards,
  shown: {
    provider,
    provider_source_type: sellers,
    date: day,
    country,
    gpu_count: cards,
    price: roundedPrice(price),
    // Models of earlier versions have no count of days.
    ...(days === undefined ? {} : { days }),
  },
});

/** Rounded to a hundredth of a cent. */
export const roundedPrice = (price: number): number => Math.round(price * 1e4) / 1e4;

function spreadOf(pool: Pool): Spread {
  const [[p5, p95], [p10, p90], [p25, p75]] = [intervalOf(pool, 0.9), intervalOf(pool, 0.8), intervalOf(pool, 0.5)];
  const p50 = Math.min(Math.max(quantileOf(pool, 0.5), p25), p75);
  return { providers: pool.providers, residuals: pool.residuals.length, logs: [p5, p10, p25, p50, p75, p90, p95] };
}
