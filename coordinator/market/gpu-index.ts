import { sellersOfIndex, type GpuIndex, type GpuIndexRequest } from '../contract/gpu-index.ts';
import type { Context } from '../platform/context.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { indexByDay, readIndexDates } from '../platform/read-index-dates.ts';
import { findProduct } from './find-products.ts';
import type { HotMarket } from './hot-market.ts';

/** Prices of cloud accelerators were not published earlier; this bounds the size of the answer. */
const EARLIEST = '2017-01-01';
const sellersInWords = { neo: 'neoclouds', hs: 'hyperscalers', all: 'all providers' } as const;

/**
 * The price of an accelerator on demand at one kind of provider or at all, day by day, chain-linked
 * (`pricing/chain-index.ts`). No version includes resellers. Throws 10008 for a start after the end, 34004 for days before
 * the history of the subscription, and `validation` for a date too early or in the future and for an unknown product.
 */
export async function gpuIndex(
  { actor, now }: Context,
  { products, indexOf }: HotMarket,
  { gpu, index_version, ...dates }: GpuIndexRequest,
): Promise<GpuIndex> {
  const range = readIndexDates(dates, { now: now(), earliest: EARLIEST });
  requireHistory(actor, { field: 'starting_date', day: range.first, now: now() });
  const product = findProduct(products, gpu, 'gpu');
  const index = await indexOf({ productId: product.product_id, sellers: sellersOfIndex[index_version] });
  const inRange = [...index].filter(([day]) => day >= range.first && day <= range.last);
  return {
    gpu: product.product_slug,
    index_name: inRange.length > 0 ? `${product.name} on demand, ${sellersInWords[index_version]}` : null,
    index_version,
    starting_date: range.first,
    ending_date: range.last,
    indexes: indexByDay(range, (day) => index.get(day)?.value.toFixed(4)),
    contributors: Object.fromEntries(inRange.map(([day, { contributions }]) => [day, contributions.length])),
    begins: inRange.filter(([, { linkedTo }]) => linkedTo === null).map(([day]) => day),
  };
}
