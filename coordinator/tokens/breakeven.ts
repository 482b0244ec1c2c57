import type { Breakeven, BreakevenRequest } from '../contract/token-breakeven.ts';
import { measuredBandwidth } from '../lifecycle/performance/scoreboard.ts';
import { findProduct } from '../market/find-products.ts';
import { type HotMarket, RECENT_DAYS, recentRental } from '../market/hot-market.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import type { GpuProduct } from '../contract/market.ts';
import { isOpenType, type ModelType } from './identity/model-type.ts';
import { findCheapest, findModel } from './queries/model-days.ts';

const DAY_MS = 86_400_000;
/** Share of a GPU's memory for weights; the rest is for keys and values of the context and for the engine. */
const WEIGHTS_SHARE = 0.9;
const SECONDS_PER_HOUR = 3600;
const MILLION = 1e6;

/**
 * Tokens per second above which renting GPUs for an open model costs less than buying its tokens at the cheapest listed price.
 * From stored figures only: if one is missing, the result is null and `reasons` names it.
 */
export async function tokenBreakeven(
  { sql, now }: Context,
  market: HotMarket,
  { model: wanted, product: gpu, bytes_per_weight }: BreakevenRequest,
): Promise<Breakeven> {
  const today = now().toISOString().slice(0, 10);
  const earliest = new Date(Date.parse(today) - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const product = findProduct(market.products, gpu, 'product');
  const model = await findModel(sql, wanted.trim().toLowerCase(), today);
  if (!model) throw invalidField('model', 'is not the name of a model that has a price or a volume');
  const cheapest = await findCheapest(sql, model.model, { earliest, today });
  const rental = recentRental(market, product.product_id, now());
  const { total_param, active_param } = model;
  const { mem } = product;
  const { bandwidth, ...ofBandwidth } = await bandwidthOf({ sql }, market, product);
  const isOpen = isOpenType(model.model_type) === true;
  const gpus =
    total_param === null || mem === null ? null : Math.ceil((total_param * bytes_per_weight) / (mem * WEIGHTS_SHARE));
  const reasons = [
    ...weightsMissing(model.model_type),
    ...(total_param === null ? ['total_param of the model is not known'] : []),
    ...(active_param === null ? ['active_param of the model is not known'] : []),
    ...(mem === null ? ['the memory of the product is not known'] : []),
    ...(bandwidth === null ? ['the memory bandwidth of the product is not known'] : []),
    ...(rental ? [] : [`the product has no on-demand price of the last ${RECENT_DAYS} days`]),
    ...(cheapest ? [] : [`the model has no output price of the last ${RECENT_DAYS} days`]),
  ];
  const canTell = isOpen && gpus !== null && active_param !== null && bandwidth !== null && rental && cheapest;
  const figures = canTell
    ? figuresOf({
        gpus,
        usdPerGpuHour: rental.price,
        usdPerToken: cheapest.price_output / MILLION,
        ceiling: (bandwidth * gpus) / (active_param * bytes_per_weight),
      })
    : { breakeven_tokens_per_second: null, decode_ceiling_tokens_per_second: null, streams_needed: null };
  return {
    model: model.model,
    product_slug: product.product_slug,
    ...figures,
    gpus: isOpen ? gpus : null,
    reasons,
    inputs: {
      model_type: model.model_type,
      total_param,
      active_param,
      memory_gb: mem,
      bandwidth_gb_per_second: bandwidth,
      bandwidth_basis: ofBandwidth.basis,
      bandwidth_machines: ofBandwidth.machines,
      rental_usd_per_gpu_hour: rental?.price ?? null,
      rental_date: rental?.day ?? null,
      price_output: cheapest?.price_output ?? null,
      price_source_id: cheapest?.source_id ?? null,
      price_date: cheapest?.day ?? null,
    },
    assumptions: [
      `a weight takes ${bytes_per_weight === 1 ? '1 byte' : `${bytes_per_weight} bytes`}`,
      `weights fill at most ${WEIGHTS_SHARE * 100} % of the memory; GPUs are rented whole, as many as hold total_param`,
      'the price is that of output tokens alone; input tokens are read at no cost',
      'the GPUs are busy all the time that is paid for',
      ofBandwidth.assumption,
      'each token of a stream reads every active weight once',
    ],
  };
}

/** Why a model cannot be run on rented GPUs; empty if its weights are available. */
function weightsMissing(type: ModelType | null): string[] {
  if (isOpenType(type)) return [];
  return [
    type === null
      ? 'nothing says whether the weights of the model can be had'
      : 'the weights of the model cannot be had',
  ];
}

function figuresOf(given: { gpus: number; usdPerGpuHour: number; usdPerToken: number; ceiling: number }) {
  const needed = (given.usdPerGpuHour * given.gpus) / SECONDS_PER_HOUR / given.usdPerToken;
  return {
    breakeven_tokens_per_second: needed,
    decode_ceiling_tokens_per_second: given.ceiling,
    streams_needed: Math.ceil(needed / given.ceiling),
  };
}

/** Memory bandwidth of one GPU in GB/s: as measured by customers, else as published. */
async function bandwidthOf(
  context: Pick<Context, 'sql'>,
  market: HotMarket,
  product: Pick<GpuProduct, 'product_id' | 'bandwidth'>,
) {
  const measured = await measuredBandwidth(context, (label) => isProduct(market, product.product_id, label));
  if (!measured)
    return {
      bandwidth: product.bandwidth,
      basis: product.bandwidth === null ? null : ('published' as const),
      machines: null,
      assumption: 'the bandwidth is what the vendor publishes: too few customers have measured it',
    };
  const { gbs, customers, machines } = measured;
  const assumption = `the bandwidth is the median of what ${customers} customers measured`;
  return { bandwidth: gbs, basis: 'measured' as const, machines, assumption };
}

/** Whether a device with this label is this product and cannot be another. */
function isProduct({ match }: HotMarket, productId: number, label: string): boolean {
  const found = match({ label, memoryGb: null, formFactor: null });
  return found.kind === 'product' && found.product_id === productId;
}
