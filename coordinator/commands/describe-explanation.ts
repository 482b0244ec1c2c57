import type { Explanation } from '../market/explain-price.ts';
import { describe } from '../market/price-record.ts';
import { table } from './text-table.ts';

const usd = (price: number): string => price.toFixed(4);
/** On-Demand, Spot, 1 year, New: a terminal has 80 columns. */
const termOf = (type: number): string => describe(type).replace(/^(Rental Reserved|Rental|Retail) /, '');
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
        termOf(row.price_type),
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
        termOf(vote.price_type),
        placeOf(vote.country),
        vote.provider,
        usd(vote.price),
        String(vote.observations),
        vote.outlier ? 'outlier, not counted' : '',
      ]),
    ),
    'observations',
    table(
      ['term', 'provider', 'where', 'price', 'as stated', 'GPUs', 'UTC', 'source', 'offer'],
      observations.map((row) => [
        termOf(row.price_type),
        row.reseller ? `${row.provider} (reseller, no vote)` : row.provider,
        [row.country, row.region].filter((place) => place !== null).join(' ') || '-',
        usd(row.price),
        `${row.original_price} ${row.currency}`,
        String(row.gpu_count),
        row.observed_at.toISOString().slice(11, 16),
        row.source,
        row.offer ?? '',
      ]),
    ),
  ].join('\n');
}
