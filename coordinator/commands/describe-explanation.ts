import type { Explanation } from '../market/explain-price.ts';
import { describe } from '../market/price-record.ts';
import { table } from './text-table.ts';

const usd = (price: number): string => price.toFixed(4);
const placeOf = (country: string): string => (country === '' ? 'all' : country);

/** Prices of a day, the votes they are the mean of, and what was observed. */
export function describeExplanation(day: string, { product, prices, votes, observations }: Explanation): string {
  const head = `${product.name} (${product.slug}, ${product.product_id}) on ${day}\n`;
  if (observations.length === 0) return `${head}nothing was observed\n`;
  return [
    head,
    'prices (USD; mean and median of one vote per provider)',
    table(
      ['term', 'country', 'mean', 'median', 'providers', 'observations'],
      prices.map((row) => [
        describe(row.price_type),
        placeOf(row.country),
        usd(row.price),
        usd(row.price_median),
        String(row.provider_count),
        String(row.sample_size),
      ]),
    ),
    'votes (median of a provider’s offers)',
    table(
      ['term', 'country', 'provider', 'vote', 'observations', ''],
      votes.map((vote) => [
        describe(vote.price_type),
        placeOf(vote.country),
        vote.provider,
        usd(vote.price),
        String(vote.observations),
        vote.outlier ? 'outlier, not counted' : '',
      ]),
    ),
    'observations',
    table(
      ['term', 'provider', 'country', 'region', 'price', 'as stated', 'GPUs', 'time', 'source', 'offer'],
      observations.map((row) => [
        describe(row.price_type),
        row.reseller ? `${row.provider} (reseller, no vote)` : row.provider,
        row.country ?? '-',
        row.region ?? '-',
        usd(row.price),
        `${row.original_price} ${row.currency}`,
        String(row.gpu_count),
        row.observed_at.toISOString().slice(0, 16),
        row.source,
        row.offer ?? '',
      ]),
    ),
  ].join('\n');
}
