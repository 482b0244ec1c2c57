import type { Prediction, RentOrBuy, RentOrBuyRequest } from '../contract/prediction.ts';
import { newestCurve } from '../forward/explain-curve.ts';
import { findProduct } from '../market/find-products.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { breakEven, monthsOf, type Costs } from './break-even.ts';
import { roundedPrice, type HotModel } from './hot-model.ts';
import { predict } from './predict.ts';

const [NEW, USED] = [100, 102];
/** Prices of cards are published monthly at best; one older than this is not a current price. */
const MOST_DAYS_OLD = 365;
const DAY_MS = 86_400_000;

/**
 * Compares renting one GPU along its forward curve, at the level predicted for the place, with buying it. Throws `validation` if
 * the product has no curve or no retail price, or its price cannot be predicted there.
 */
export async function rentOrBuy(
  context: Context,
  { market, model }: { market: HotMarket; model: HotModel },
  request: RentOrBuyRequest,
): Promise<RentOrBuy> {
  const product = findProduct(market.products, request.gpu, 'gpu');
  const { product_slug: slug, product_id: productId } = product;
  const curve = await newestCurve(context, { productId, sellers: request.provider_source_type ?? null });
  if (curve === null)
    throw invalidField('gpu', `${slug} has no forward curve: no provider publishes term rates for it`);
  const { horizon_months: horizon, utilisation, electricity_price: electricity } = request;
  if (horizon > curve.longest_months)
    throw invalidField('horizon_months', `must be at most ${curve.longest_months}, the longest term of the curve`);
  const { country, region } = request;
  const sellers = curve.provider_source_type;
  const predicted = predict(market, model, {
    slug,
    gpu_count: 1,
    price_type: 0,
    provider_source_type: sellers,
    country,
    region,
  });
  const retail = priceOf(context, market, { productId, type: NEW });
  const price = request.retail_price ?? retail?.price;
  if (price === undefined)
    throw invalidField('retail_price', `must be given: ${slug} has no retail price of the last ${MOST_DAYS_OLD} days`);
  const watts = request.power_watts ?? product.tdp;
  if (watts === null) throw invalidField('power_watts', `must be given: the power of ${slug} is not known`);
  const used = priceOf(context, market, { productId, type: USED });
  const shape = shapeOf(curve.points, horizon);
  const at = (level: number): Costs => ({
    rates: shape.map((share) => share * level),
    utilisation,
    retail: price,
    resale: Math.min(used?.price ?? 0, price),
    watts,
    electricity,
  });
  const { p10, p90 } = predicted.percentiles;
  return {
    product_slug: slug,
    currency: 'USD',
    break_even_month: rounded(breakEven(at(predicted.predicted_price))),
    break_even_interval: { early: rounded(breakEven(at(p90))), late: rounded(breakEven(at(p10))) },
    months: monthsOf(at(predicted.predicted_price)).map(({ month, rent_rate, rent, buy }) => ({
      month,
      rent_rate: roundedPrice(rent_rate),
      rent: roundedPrice(rent),
      buy: roundedPrice(buy),
    })),
    inputs: inputsOf(request, { predicted, curve, retail, used, price, watts }),
    assumptions: [
      'one GPU; a month has 730.5 hours',
      'rent follows the shape of the forward curve from the level that is predicted for the place on demand',
      'rent and power are paid only for the hours in use',
      'a GPU that is bought costs its price and its power: no host, network, space, staff or interest',
      'it is sold for the used price of today, whenever that is',
    ],
  };
}

interface Found {
  predicted: Prediction;
  curve: NonNullable<Awaited<ReturnType<typeof newestCurve>>>;
  retail: Observed | null;
  used: Observed | null;
  price: number;
  watts: number;
}

interface Observed {
  price: number;
  day: string;
  provider_count: number;
}

const observed = ({ day, provider_count: n }: Observed): string => `${day}, n ${n} ${n === 1 ? 'seller' : 'sellers'}`;

/** Every input of the comparison with its source. */
function inputsOf(
  { country, region, horizon_months, retail_price, power_watts, electricity_price, utilisation }: RentOrBuyRequest,
  { predicted, curve, retail, used, price, watts }: Found,
): RentOrBuy['inputs'] {
  const [model, caller] = [`model ${predicted.model_version}`, 'the caller'];
  const rent = 'USD per GPU hour on demand';
  const kind = curve.provider_source_type;
  const of = `n ${predicted.sample_size} ${predicted.sample_size === 1 ? 'provider' : 'providers'} of product and chip`;
  const level = `${model}, ${country ?? region}, ${kind}, as of ${predicted.as_of}, ${of}`;
  return {
    rent_level: { value: predicted.predicted_price, unit: rent, source: level },
    rent_level_p10: { value: predicted.percentiles.p10, unit: rent, source: `${model}, ${of}` },
    rent_level_p90: { value: predicted.percentiles.p90, unit: rent, source: `${model}, ${of}` },
    forward_curve: {
      value: horizon_months,
      unit: 'months of it',
      source: `curve ${curve.id} of ${curve.as_of}, ${kind}: ${curve.providers.join(', ')}`,
    },
    retail_price: {
      value: price,
      unit: 'USD',
      source: retail_price === undefined && retail !== null ? `observed new, ${observed(retail)}` : caller,
    },
    resale_price: {
      value: used === null ? null : Math.min(used.price, price),
      unit: 'USD',
      source: used === null ? 'no used price is known: 0 is assumed' : `observed used, ${observed(used)}`,
    },
    power: { value: watts, unit: 'W', source: power_watts === undefined ? 'published TDP' : caller },
    electricity_price: { value: electricity_price, unit: 'USD per kWh', source: caller },
    utilisation: { value: utilisation, unit: 'share of the hours', source: caller },
  };
}

/** The newest price over all countries; null if it is missing or too old. */
function priceOf(
  { now }: Context,
  { worldwide }: HotMarket,
  { productId, type }: { productId: number; type: number | undefined },
) {
  const earliest = new Date(now().getTime() - MOST_DAYS_OLD * DAY_MS).toISOString().slice(0, 10);
  const found = worldwide.find(
    ({ product_id, price_type, day }) => product_id === productId && price_type === type && day >= earliest,
  );
  return found ?? null;
}

/** The rent of each month as a share of the price on demand: the increment of the contract's total cost. */
function shapeOf(points: readonly { tenor: number; term: number }[], horizon: number): number[] {
  const terms = new Map(points.map(({ tenor, term }) => [tenor, term]));
  const onDemand = terms.get(0) ?? Number.NaN;
  const money = (month: number): number => month * (terms.get(month) ?? Number.NaN);
  return Array.from({ length: horizon }, (_, at) => (money(at + 1) - money(at)) / onDemand);
}

const rounded = (month: number | null): number | null => (month === null ? null : Math.round(month * 100) / 100);
