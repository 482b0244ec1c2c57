import type { BatchItem, BatchResult, GpuCarbon, GpuCarbonRequest, GpuProviderCarbon } from '../contract/carbon.ts';
import type { GpuProviderCarbonRequest } from '../contract/carbon.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { gramsOf, requireFactor, updatedTime } from './estimate.ts';
import { business, findGpu, requireIdentifier, tdpOf, type GpuIdentifiers } from './find-gpu.ts';
import type { HotCarbon } from './hot-carbon.ts';
import { findRegion } from './providers.ts';
import { resolvePostcode, resolveRegion, type Resolved } from './places/resolve-postcode.ts';

/** The data in memory, and the time that the request is about. */
export interface Known {
  market: Pick<HotMarket, 'products'>;
  carbon: HotCarbon;
  at: Date;
}

const MOST_ITEMS = 50;

/** g CO2e of one GPU at its board power for the hours, at a post code. Throws 34003 if there are no data, -1 if no such GPU. */
export function gpuCarbonIntensity({ market, carbon, at }: Known, request: GpuCarbonRequest): GpuCarbon {
  const { zipcode, country_code, hours_used } = request;
  const gpu = requireGpu(market, request);
  const resolved = requireFactor(resolvePostcode(carbon, request, at), `post code "${zipcode}" of ${country_code}`);
  return {
    carbonIntensity: gramsOf(gpu.gpu_tdp, hours_used, resolved.factor.g_per_kwh),
    ...gpu,
    zipcode,
    country_code,
    ...rateOf(resolved),
  };
}

/** The same in the zone of a provider's region. Throws -1 if there is no such region. */
export function gpuProviderCarbonIntensity(
  { market, carbon, at }: Known,
  request: GpuProviderCarbonRequest,
): GpuProviderCarbon {
  const { provider, provider_code, hours_used } = request;
  const gpu = requireGpu(market, request);
  const region = findRegion(carbon, provider, provider_code);
  if (!region)
    throw business(`No matching data was found for provider "${provider}" and provider_code "${provider_code}".`);
  const resolved = requireFactor(resolveRegion(carbon, region, at), `${region.provider} ${region.code}`);
  return {
    carbonIntensity: gramsOf(gpu.gpu_tdp, hours_used, resolved.factor.g_per_kwh),
    ...gpu,
    hour: hours_used,
    provider: region.provider,
    provider_code: region.code,
    ...rateOf(resolved),
  };
}

/** At most 50 items, answered in the order given; what cannot be found for an item is null in its answer. */
export function batchCarbonIntensity(
  known: Known,
  items: readonly BatchItem[],
): { data_cnt: number; data: BatchResult[] } {
  if (items.length > MOST_ITEMS)
    throw business(`At most ${MOST_ITEMS} items per request are allowed; there are ${items.length}.`);
  for (const [n, item] of items.entries()) requireIdentifier(item, `data.${n}: `);
  const data = items.map((item, n) => batchItem(known, item, `data.${n}: `));
  return { data_cnt: data.length, data };
}

function batchItem({ market, carbon, at }: Known, item: BatchItem, where: string): BatchResult {
  const { zipcode, country_code, hours_used } = item;
  const gpu = findGpu(market.products, item, where);
  const resolved = resolvePostcode(carbon, item, at);
  const about = {
    gpu_slug: gpu?.product_slug ?? item.gpu_slug,
    gpu_name: gpu?.name ?? item.gpu_name,
    // 0 stands for a GPU that was not found, null for one without a published TDP.
    gpu_tdp: gpu ? gpu.tdp : 0,
    hours_used,
    zipcode,
    country_code,
  };
  if (!gpu || gpu.tdp === null || !resolved)
    return { ...about, carbon_emission_rate: null, carbon_data_updated_time: null, carbon_intensity: null };
  return {
    ...about,
    ...rateOf(resolved),
    carbon_intensity: gramsOf(gpu.tdp, hours_used, resolved.factor.g_per_kwh),
  };
}

const rateOf = (resolved: Resolved) => ({
  carbon_emission_rate: resolved.factor.g_per_kwh,
  carbon_data_updated_time: updatedTime(resolved),
});

function requireGpu({ products }: Known['market'], identifiers: GpuIdentifiers) {
  requireIdentifier(identifiers);
  const gpu = findGpu(products, identifiers);
  if (gpu) return { gpu_slug: gpu.product_slug, gpu_name: gpu.name, gpu_tdp: tdpOf(gpu) };
  const { gpu_slug, gpu_name } = identifiers;
  throw business(gpu_slug === null ? `There is no GPU named "${gpu_name}".` : `There is no GPU "${gpu_slug}".`);
}
