import type { Percentiles, PredictRequest, Prediction } from '../contract/prediction.ts';
import { isRetail } from '../contract/price-type.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { priceTypeText } from '../market/price-record.ts';
import { invalidField } from '../platform/errors.ts';
import { linearMedian } from '../figures/statistics.ts';
import { productAsked, regionAsked } from './configuration.ts';
import { roundedPrice, type HotModel, type KnownOffer, type Model, type Spread } from './hot-model.ts';
import type { Support } from './model/model-document.ts';
import { predictLog } from './model/design.ts';
import { regionOf } from './model/regions.ts';
import { LEAST_JUDGED } from './model/train-model.ts';
import { requireSupport } from './require-support.ts';

const ON_DEMAND = 0;
const MOST_OFFERS = 5;

/**
 * The price of a configuration on the newest day of the model, and the distribution of a provider's price around it. Throws
 * `validation` if the data do not support a prediction, naming the nearest that they support.
 */
export function predict(market: HotMarket, { model, why }: HotModel, request: PredictRequest): Prediction {
  if (model === null) throw invalidField('gpu_name', `cannot be predicted: ${why}`);
  const { price_type, gpu_count, country = null } = request;
  if (isRetail(price_type))
    throw invalidField('price_type', 'must be a rental price type: prices of cards are not predicted');
  const product = productAsked(market, request);
  const region = request.region === undefined ? null : regionAsked(request.region);
  const { product_slug: slug, chip } = product;
  if (gpu_count > model.most_cards)
    throw invalidField('gpu_count', `must be at most ${model.most_cards}: there are no prices of larger machines`);
  const isTerm = price_type > ON_DEMAND;
  const basis = isTerm ? ON_DEMAND : price_type;
  const field = request.slug === undefined ? 'gpu_name' : 'slug';
  const support = requireSupport(model, { product: slug, chip, country, region, price_type: basis, field });
  const kind = request.provider_source_type ?? null;
  const spread = model.spreads.get(basis)?.[kind === null ? 'any' : 'known'];
  if (spread === undefined || spread.providers < 2)
    throw invalidField('price_type', 'fewer than two providers have such prices, so an interval cannot be given');
  const ratio = isTerm ? ratioOf(model, { slug, price_type, kind }) : null;
  const sellers = kind === null ? support.shares : { [kind]: 1 };
  const log =
    predictLog(model.coefficients, {
      chip,
      product: slug,
      price_type: basis,
      sellers,
      country,
      region,
      cards: gpu_count,
      age: 0,
    }) + Math.log(ratio?.ratio ?? 1);
  const { known, offers } = comparable(model, { slug, price_type: basis, country, region, kind, gpu_count });
  return {
    product_slug: slug,
    price_type,
    predicted_price: roundedPrice(Math.exp(log)),
    currency: 'USD',
    unit: 'GPU hour',
    percentiles: percentilesOf(log, spread),
    interval_basis: basisOf(spread, { basis, kind, ratio }),
    sample_size: support.chip_providers,
    residuals: spread.residuals,
    comparable_offers: offers,
    as_of: model.as_of,
    model_version: model.model_version,
    trained_at: model.trained_at,
    backtest: {
      mape: model.backtest.mape,
      coverage_80: model.backtest.coverage_80,
      median_ape: model.backtest.median_ape,
      votes: model.backtest.votes,
    },
    notes: [
      ...(request.cpu_platform === undefined ? [] : ['cpu_platform has no effect: no price source states it']),
      ...(known === 0 ? [`no provider offers ${slug} itself: the prediction is for its chip`] : []),
      ...(kind !== null && !(kind in support.shares)
        ? [`no ${kind} sells it: what this kind of provider costs is learnt from other products`]
        : []),
      ...(isTerm ? [`comparable offers are on demand; the term is ${ratio?.ratio.toFixed(4)} of that`] : []),
    ],
  };
}

interface Nearness {
  slug: string;
  price_type: number;
  country: string | null;
  region: string | null;
  kind: string | null;
  gpu_count: number;
}

/** Offers of the product nearest to the request, at most one per provider, and how many providers have any. */
function comparable(
  model: Model,
  { slug, price_type, country, region, kind, gpu_count }: Nearness,
): { known: number; offers: Prediction['comparable_offers'] } {
  const continent = region ?? (country === null ? null : regionOf(country));
  const nearest = new Map<string, { offer: KnownOffer; distance: number }>();
  // One pass over all, since this dominates the cost of a prediction. Of equally near offers the newest, which comes first.
  for (const offer of model.offers.get(`${slug} ${price_type}`) ?? []) {
    const distance =
      (kind === null || offer.sellers === kind ? 0 : 8) +
      (offer.country === country ? 0 : offer.region === continent ? 2 : 4) +
      (offer.cards === gpu_count ? 0 : 1);
    const known = nearest.get(offer.provider);
    if (known === undefined || distance < known.distance) nearest.set(offer.provider, { offer, distance });
  }
  const offers = [...nearest.values()]
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST_OFFERS)
    .map(({ offer }) => offer.shown);
  return { known: nearest.size, offers };
}

interface Ratio {
  ratio: number;
  providers: string[];
}

/** The median of providers' own ratios, of this kind of provider if one is given. Throws `validation` if there is none. */
function ratioOf(
  model: Model,
  { slug, price_type, kind }: { slug: string; price_type: number; kind: string | null },
): Ratio {
  const all = model.ratios.get(slug) ?? [];
  const found = all.filter(({ tenor, sellers }) => tenor === price_type && (kind === null || sellers === kind));
  if (found.length > 0)
    return { ratio: linearMedian(found.map(({ ratio }) => ratio)), providers: found.map(({ provider }) => provider) };
  const others = all.filter(({ sellers }) => kind === null || sellers === kind).map(({ tenor }) => tenor);
  const near = others.length > 0 ? [...new Set(others)].toSorted((a, b) => a - b).join(', ') : '0 (on demand)';
  throw invalidField(
    'price_type',
    `no provider${kind === null ? '' : ` of kind ${kind}`} publishes ${priceTypeText(price_type)} of ${slug} in addition to an on-demand price; nearest: price_type ${near}`,
  );
}

function percentilesOf(log: number, { logs }: Spread): Percentiles {
  const at = (index: number): number => roundedPrice(Math.exp(log + (logs[index] ?? Number.NaN)));
  return { p5: at(0), p10: at(1), p25: at(2), p50: at(3), p75: at(4), p90: at(5), p95: at(6) };
}

function basisOf(
  { providers }: Spread,
  { basis, kind, ratio }: { basis: number; kind: Support['product'] | null; ratio: Ratio | null },
): string {
  return [
    `conformal: signed residuals of ${providers} providers ${basis === ON_DEMAND ? 'on demand' : 'on spot'}, each predicted without its own prices`,
    ...(kind === null ? ['the kind of provider taken as unknown'] : []),
    ...(providers < LEAST_JUDGED
      ? [`fewer than ${LEAST_JUDGED} providers: the interval is shown, its coverage is not judged`]
      : []),
    ...(ratio === null
      ? []
      : [`times the term’s own ratio of ${ratio.providers.join(', ')}, which adds nothing to the width`]),
  ].join('; ');
}
