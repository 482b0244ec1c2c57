import { ALL_COUNTRIES } from '../contract/market.ts';
import type { ExplainedPrice, ExplainPriceRequest } from '../contract/price-evidence.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { pageBounds } from '../platform/page.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { explainPrice, type Explanation } from './explain-price.ts';
import type { HotMarket } from './hot-market.ts';
import { restatementOf } from './list-restatements.ts';
import { screens } from './pricing/screen-votes.ts';
import { priceRecordOf } from './price-record.ts';

/** One published price down to the rows of its sources. Throws 10008 for a day before the history that the tier has, `not_found` for an unknown product. */
export async function explainPublished(
  { sql, actor, now }: Context,
  { products }: HotMarket,
  { product_id, date, price_type, country, ...page }: ExplainPriceRequest,
): Promise<ExplainedPrice> {
  requireHistory(actor, { field: 'date', day: date, now: now() });
  const product = products.get(product_id);
  if (!product) throw new DomainError('not_found', `No product has the id ${product_id}.`);
  const asked = {
    productId: product_id,
    day: date,
    priceType: price_type,
    country: country === ALL_COUNTRIES ? '' : country,
  };
  const explained = await explainPrice(sql, asked, pageBounds(page));
  const [price] = explained.prices;
  return {
    product_id,
    product_slug: product.product_slug,
    name: product.name,
    date,
    price_type,
    country,
    price: price === undefined ? null : priceRecordOf(product, price),
    votes: explained.votes.map(voteOf),
    observations: {
      total: explained.observations.total,
      results: explained.observations.rows.map(observationOf),
    },
    index: explained.index.map(indexOf),
    restatements: explained.restatements.map(restatementOf),
  };
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

/** Its name alone: where an operator keeps it, or the key in its address, is nobody else's business. */
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
