import type { GpuSpecification } from '../contract/catalog.ts';
import { type HotMarket, recentRental } from '../market/hot-market.ts';
import { rounded } from '../market/price-record.ts';

const FLOPS_PER_TFLOPS = 1e12;
const known = new WeakMap<HotMarket, { today: string; specifications: GpuSpecification[] }>();

/** The catalogue with the newest prices over all countries, by name. Computed once a day for each state of the market. */
export function specificationsOf(market: HotMarket, now: Date): GpuSpecification[] {
  const today = now.toISOString().slice(0, 10);
  const before = known.get(market);
  if (before?.today === today) return before.specifications;
  const specifications = [...market.products.values()].map((product): GpuSpecification => {
    const { product_id, product_slug, fp16, tdp } = product;
    const rental = recentRental(market, product_id, now);
    const retail = market.retails.get(product_id);
    const retailPrice = retail === undefined ? null : rounded(retail.price, retail.price_type);
    return {
      id: product_id,
      name: product.name,
      slug: product_slug,
      manufacturer: product.manufacturer,
      chip: product.chip,
      bus: product.bus,
      mem: product.mem,
      mem_bus: product.mem_bus,
      bandwidth: product.bandwidth,
      fp16,
      tdp,
      msrp: product.msrp,
      retail_price: retailPrice,
      rental_price: rental === null ? null : rounded(rental.price, rental.price_type),
      rental_price_date: rental?.day ?? null,
      released_date: product.released_date,
      cpp: retailPrice !== null && fp16 !== null ? retailPrice / (fp16 * FLOPS_PER_TFLOPS) : null,
      ppw: fp16 !== null && tdp !== null ? fp16 / tdp : null,
      architecture: product.architecture,
    };
  });
  known.set(market, { today, specifications });
  return specifications;
}
