import { hotCarbon } from '../../carbon/hot-carbon.ts';
import { LOCATION_FORMS, placeInText, type Resolved } from '../../carbon/places/resolve-postcode.ts';
import type { RunCarbon, RunCost } from '../../contract/footprint.ts';
import { hotMarket, type HotMarket, recentRental } from '../../market/hot-market.ts';
import type { Context } from '../../platform/context.ts';

interface Machine {
  /** as its operator or provider wrote it */
  location: string | null;
  /** of its devices */
  model: string | null;
  /** bytes of one device */
  memoryBytes: number | null;
  endedAt: Date | null;
}

/** What is published about a machine's place and product, as plain data. `footprintOf` combines it with the measurements. */
export interface Site {
  place: Place | null;
  /** why there is no place */
  reason: string | null;
  product: { slug: string; model: string; tdp: number | null } | null;
  /** newest on-demand price of one device over all countries, younger than 30 days */
  price: Price | null;
}

export type Place = Pick<
  RunCarbon,
  | 'carbon_emission_rate'
  | 'emission_factor_type'
  | 'carbon_region_code'
  | 'resolved_by'
  | 'location'
  | 'source'
  | 'source_year'
>;
type Price = Pick<RunCost, 'usd_per_gpu_hour' | 'price_date' | 'provider_count' | 'sample_size'>;

const BYTES_PER_GIB = 2 ** 30;

export async function siteOf(context: Context, machine: Machine): Promise<Site> {
  const [carbon, market] = await Promise.all([hotCarbon(context)(), hotMarket(context)()]);
  const now = context.now();
  const product = productOf(market, machine);
  const price = product && priceOf(market, product.id, now);
  const without = (reason: string): Site => ({ place: null, reason, product, price });
  const { location, endedAt } = machine;
  if (location === null || location.trim() === '')
    return without(`the machine's location is unknown; set it with --location: ${LOCATION_FORMS}`);
  const resolved = placeInText(carbon, location, endedAt ?? now);
  if (!resolved) return without(`no factor is published for the location "${location}"; ${LOCATION_FORMS} would do`);
  return { place: placeOf(resolved, location), reason: null, product, price };
}

const placeOf = ({ zone, factor, rule }: Resolved, location: string): Place => ({
  carbon_emission_rate: factor.g_per_kwh,
  emission_factor_type: factor.basis,
  carbon_region_code: zone,
  resolved_by: rule,
  location,
  source: `${factor.title}, ${factor.scope}`,
  source_year: factor.source_year,
});

/** Null if there is no device, the catalogue does not have it, or several products have its name. */
function productOf({ products, match }: HotMarket, { model, memoryBytes }: Machine) {
  if (model === null) return null;
  const memoryGb = memoryBytes === null ? null : memoryBytes / BYTES_PER_GIB;
  const found = match({ label: model, memoryGb, formFactor: null });
  const product = found.kind === 'product' ? products.get(found.product_id) : undefined;
  return product ? { id: product.product_id, slug: product.product_slug, model, tdp: product.tdp } : null;
}

function priceOf(market: HotMarket, product: number, now: Date): Price | null {
  const row = recentRental(market, product, now);
  if (row === null) return null;
  const { price, day, provider_count, sample_size } = row;
  return { usd_per_gpu_hour: price, price_date: day, provider_count, sample_size };
}
