import type { Explanation, NamedProduct } from '../market/explain-price.ts';
import { fileOf } from '../market/price-evidence.ts';
import { priceTypeText } from '../market/price-record.ts';
import { screens } from '../market/segments.ts';
import { table } from './text-table.ts';

const usd = (price: number): string => price.toFixed(4);
/** On-Demand, Spot, 1 year, New: short, since a terminal has 80 columns. */
export const termOf = (type: number): string => priceTypeText(type).replace(/^(Rental Reserved|Rental|Retail) /, '');
export const placeOf = (country: string): string => (country === '' ? 'all' : country);

/** Prices of a day, the votes they are the mean of, the index, and each observed row with what became of it. */
export function describeExplanation(day: string, product: NamedProduct, explained: Explanation): string {
  const { observations } = explained;
  const head = `${product.name} (${product.slug}, ${product.product_id}) on ${day}\n`;
  if (observations.total === 0) return `${head}nothing was observed\n`;
  const shown = observations.rows.length;
  return [
    head,
    'prices (USD; mean and median of one vote per provider)',
    prices(explained),
    'votes (median of a provider’s standard machines)',
    votes(explained),
    ...explained.index.flatMap(indexLines),
    shown < observations.total ? `observations, ${shown} of ${observations.total}` : 'observations',
    rows(explained),
    ...explained.restatements.map(
      ({ at, price_type, before, after, reason }) =>
        `restated ${at.toISOString()} (${reason}): ${termOf(price_type)} ${before === null ? 'none' : usd(before)} -> ${after === null ? 'none' : usd(after)}`,
    ),
  ].join('\n');
}

const prices = ({ prices: all }: Explanation): string =>
  table(
    ['term', 'country', 'mean', 'median', 'p10', 'p90', 'votes', 'status'],
    all.map((row) => [
      termOf(row.price_type),
      placeOf(row.country),
      usd(row.price),
      usd(row.price_median),
      row.p10 === null ? '' : usd(row.p10),
      row.p90 === null ? '' : usd(row.p90),
      String(row.provider_count),
      row.status ?? '',
    ]),
  );

const votes = ({ votes: all }: Explanation): string =>
  table(
    ['term', 'country', 'provider', 'vote', 'rows', 'usually', ''],
    all.map((vote) => [
      termOf(vote.price_type),
      placeOf(vote.country),
      vote.provider,
      usd(vote.price),
      String(vote.observations),
      vote.own_level === null ? '' : usd(vote.own_level),
      vote.screened_by !== null
        ? `not counted: ${screens[vote.screened_by]}`
        : vote.segment === ''
          ? ''
          : `votes as ${vote.segment} only`,
    ]),
  );

function indexLines({ version, value, linkedTo, contributions }: Explanation['index'][number]): string[] {
  const from =
    linkedTo === null ? 'begins here' : `${usd(linkedTo.value)} on ${linkedTo.day}, moved by the mean ratio of`;
  return [
    `index ${version}: ${usd(value)}: ${from}`,
    table(
      ['provider', 'before', 'now', 'quoted', 'weight'],
      contributions.map(({ provider, price, priceBefore, quoted, weight }) => [
        provider,
        priceBefore === null ? '' : usd(priceBefore),
        usd(price),
        quoted,
        `${(100 * weight).toFixed(1)} %`,
      ]),
    ),
  ];
}

/** One line per row of a source: two would be easier to read but harder to search. */
const rows = ({ observations }: Explanation): string =>
  table(
    ['term', 'provider', 'where', 'price', 'GPUs', 'label', 'offer', 'file:row', 'hash', 'fate'],
    observations.rows.map((row) => [
      termOf(row.price_type),
      row.provider,
      [row.stated_country, row.region].filter((place) => place !== null).join(' ') || '-',
      usd(row.price),
      String(row.gpu_count),
      [row.label ?? '-', ...(row.evidence === null ? [] : [`(${row.evidence})`])].join(' '),
      row.offer ?? '',
      `${row.source} ${fileOf(row)}${row.row === null ? '' : `:${row.row}`}`,
      row.row_hash ?? '',
      row.fate,
    ]),
  );
