import { sellersOfIndex, type GpuIndex, type GpuIndexRequest } from '../contract/gpu-index.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { indexByDay, readIndexDates } from '../platform/read-index-dates.ts';
import type { HotMarket } from './hot-market.ts';
import { judgeVotes } from './pricing/judge-votes.ts';
import type { ProductRow } from './queries/prices.ts';
import { selectVotesOfSellers } from './queries/votes.ts';

/** Prices of cloud accelerators are not published earlier; it bounds the answer. */
const EARLIEST = '2017-01-01';
const SUGGESTIONS = 5;
const sellersInWords = { neo: 'neoclouds', hs: 'hyperscalers' } as const;

/**
 * What an accelerator costs on demand at one kind of provider, day by day: the mean of one vote per provider, judged
 * among its kind as `daily_price` is among all. Marketplaces and resellers are in neither version. Throws 10008,
 * and `validation` for a product that is not in the catalogue.
 */
export async function gpuIndex(
  { sql, actor, now }: Context,
  { products }: HotMarket,
  { gpu, index_version, ...dates }: GpuIndexRequest,
): Promise<GpuIndex> {
  const range = readIndexDates(dates, { now: now(), earliest: EARLIEST });
  requireHistory(actor, { field: 'starting_date', day: range.first, now: now() });
  const product = findProduct(products, gpu);
  const votes = await selectVotesOfSellers(sql, {
    productId: product.product_id,
    sellers: sellersOfIndex[index_version],
    ...range,
  });
  const values = new Map(
    [...Map.groupBy(votes, ({ day }) => day)].map(([day, ofDay]) => [day, judgeVotes(ofDay)?.price]),
  );
  return {
    gpu: product.product_slug,
    index_name: values.size > 0 ? `${product.name} on demand, ${sellersInWords[index_version]}` : null,
    index_version,
    starting_date: range.first,
    ending_date: range.last,
    indexes: indexByDay(range, (day) => values.get(day)?.toFixed(4)),
  };
}

function findProduct(products: ReadonlyMap<number, ProductRow>, gpu: string): ProductRow {
  const wanted = gpu.trim().toLowerCase();
  const all = [...products.values()];
  const found = all.find(({ product_slug, name }) => product_slug === wanted || name.toLowerCase() === wanted);
  if (found) return found;
  const alike = all.filter(({ chip, product_slug }) => chip.toLowerCase() === wanted || product_slug.includes(wanted));
  const known =
    alike.length > 0
      ? `Products with it: ${alike
          .slice(0, SUGGESTIONS)
          .map(({ product_slug }) => product_slug)
          .join(', ')}.`
      : 'gpu-specs lists the products.';
  throw invalidField('gpu', `is not the slug or name of one product. ${known}`);
}
