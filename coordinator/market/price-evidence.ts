import { ALL_COUNTRIES } from '../contract/market.ts';
import type {
  ExplainedPrice,
  ExplainPriceRequest,
  ListRestatementsQuery,
  Restatement,
} from '../contract/price-evidence.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { pageBounds } from '../platform/page.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { explainPrice, type Explanation } from './explain-price.ts';
import type { HotMarket } from './hot-market.ts';
import { screens } from './segments.ts';
import { priceRecordOf, rounded } from './price-record.ts';
import { selectPricesOfDay, selectVotesOfDay, type ExplainedDay } from './queries/explain.ts';
import type { ProductRow } from './queries/prices.ts';
import { selectRestatements, type RestatementRow } from './queries/restatements.ts';

/**
 * One published price down to the rows of its sources. Throws 34004 for a day before the history of the subscription,
 * `not_found` for an unknown product.
 */
export async function explainPublished(
  context: Context,
  market: HotMarket,
  { product_id, date, price_type, country, ...page }: ExplainPriceRequest,
): Promise<ExplainedPrice> {
  const { product, asked } = askedOf(context, market, { product_id, date, price_type, country });
  const explained = await explainPrice(context.sql, asked, pageBounds(page));
  return {
    product_id,
    product_slug: product.product_slug,
    name: product.name,
    date,
    price_type,
    country,
    ...publishedOf(product, explained),
    observations: {
      total: explained.observations.total,
      results: explained.observations.rows.map(observationOf),
    },
    index: explained.index.map(indexOf),
    restatements: explained.restatements.map(restatementOf),
  };
}

/**
 * Only a published price and the judged votes of its day. With a market of ten million rows, the index, which is
 * computed from its first day on, and the source rows take up to 150 ms; these two take five. Throws like
 * `explainPublished`.
 */
export async function votesPublished(
  context: Context,
  market: HotMarket,
  request: AskedPrice,
): Promise<Pick<ExplainedPrice, 'price' | 'votes'>> {
  const { product, asked } = askedOf(context, market, request);
  const [prices, votes] = await Promise.all([
    selectPricesOfDay(context.sql, asked),
    selectVotesOfDay(context.sql, asked),
  ]);
  return publishedOf(product, { prices, votes });
}

type AskedPrice = Pick<ExplainPriceRequest, 'product_id' | 'date' | 'price_type' | 'country'>;

function askedOf(
  { actor, now }: Context,
  { products }: HotMarket,
  { product_id, date, price_type, country }: AskedPrice,
): { product: ProductRow; asked: ExplainedDay } {
  requireHistory(actor, { field: 'date', day: date, now: now() });
  const product = products.get(product_id);
  if (!product) throw new DomainError('not_found', `No product has the id ${product_id}.`);
  const asked = {
    productId: product_id,
    day: date,
    priceType: price_type,
    country: country === ALL_COUNTRIES ? '' : country,
  };
  return { product, asked };
}

function publishedOf(
  product: ProductRow,
  { prices: [price], votes }: Pick<Explanation, 'prices' | 'votes'>,
): Pick<ExplainedPrice, 'price' | 'votes'> {
  return { price: price === undefined ? null : priceRecordOf(product, price), votes: votes.map(voteOf) };
}

const voteOf = ({
  price_type: _type,
  country: _country,
  segment,
  screened_by,
  ...vote
}: Explanation['votes'][number]): ExplainedPrice['votes'][number] => ({
  ...vote,
  segment: segment === '' ? null : segment,
  counted: segment === '' && screened_by === null,
  reason: screened_by !== null ? screens[screened_by] : segment === '' ? null : 'votes in a market of its own',
});

const observationOf = (
  of: Explanation['observations']['rows'][number],
): ExplainedPrice['observations']['results'][number] => ({
  provider: of.provider,
  country: of.stated_country,
  region: of.region,
  price: of.price,
  original_price: of.original_price,
  currency: of.currency,
  gpu_count: of.gpu_count,
  offer: of.offer,
  label: of.label,
  evidence: of.evidence,
  segment: of.segment === '' ? null : of.segment,
  source: of.source,
  file: fileOf(of),
  row: of.row,
  row_hash: of.row_hash,
  observed_at: of.observed_at.toISOString(),
  in_vote: of.inVote,
  fate: of.fate,
});

/** The name of the file alone: its folder, or a key in its URL, stays private to the operator. */
export const fileOf = ({ file, origin }: { file: string | null; origin: string }): string =>
  (file ?? origin)
    .replace(/[?#].*$/s, '')
    .split(/[/\\]/)
    .at(-1) ?? '';

const indexOf = ({
  version,
  value,
  linkedTo,
  contributions,
}: Explanation['index'][number]): ExplainedPrice['index'][number] => ({
  index_version: version,
  value,
  linked_to: linkedTo === null ? null : { date: linkedTo.day, value: linkedTo.value },
  contributions: contributions.map(({ priceBefore, ...of }) => ({ ...of, price_before: priceBefore })),
});

/** Published prices that changed afterwards, the newest change first. */
export async function listRestatements(
  { sql }: Context,
  { product_id, from, to, since, before, num_per_page }: ListRestatementsQuery,
): Promise<{ results: Restatement[]; next: string | null }> {
  const wanted = {
    productId: product_id ?? null,
    from: from ?? null,
    to: to ?? null,
    since: since === undefined ? null : new Date(since),
    before: before ?? null,
  };
  const rows = await selectRestatements(sql, wanted, num_per_page + 1);
  const page = rows.slice(0, num_per_page);
  return {
    results: page.map(restatementOf),
    next: rows.length > num_per_page ? (page.at(-1)?.id ?? null) : null,
  };
}

const reasons: Record<string, (source: string) => string> = {
  reading: (source) => `a reading${source}`,
  undo: (source) => `a reading${source} was undone`,
  rules: () => 'the rules of pricing changed',
  ruling: () => 'a person ruled on a provider’s votes',
};

const restatementOf = (row: RestatementRow): Restatement => ({
  id: row.id,
  at: row.at.toISOString(),
  date: row.day,
  product_id: row.product_id,
  product_slug: row.slug,
  price_type: row.price_type,
  countries: row.countries.map((country) => (country === '' ? ALL_COUNTRIES : country)),
  before: row.before === null ? null : rounded(row.before, row.price_type),
  after: row.after === null ? null : rounded(row.after, row.price_type),
  reason: reasons[row.reason]?.(row.source === null ? '' : ` of ${row.source}`) ?? row.reason,
});
