import type { PriceStatus } from '../../contract/market.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { lockByName } from '../../platform/db/transactions.ts';
import type { PriceRow } from './prices.ts';
import type { Screen } from '../segments.ts';

export interface VoteRow {
  product_id: number;
  price_type: number;
  /** '' over all countries */
  country: string;
  provider_id: number;
  /** '' for the standard market */
  segment: string;
  price: number;
  observations: number;
  /** accelerators in the machine; null if not stated, or if machines of several sizes vote */
  cards: number | null;
  /** days for which it is used for the index */
  valid_days: number;
  /** YYYY-MM-DD */
  oldest_quote: string;
  /** of its offers, of most of them if they are of several; null: judged before this was stored */
  source: string | null;
}

/** A vote on demand over all countries: a counted one, or one whose unit is unsure. */
export interface Quote {
  day: string;
  provider_id: number;
  price: number;
  /** accelerators in the machine; null if not stated */
  cards: number | null;
  /** days, counted from its own, for which it holds */
  valid_days: number;
  /** screened out with most of its source (`unit-breaks.ts`): it ends the quote before it */
  is_unsure: boolean;
}

/**
 * Votes on demand over all countries that count, or whose unit is unsure, by day. `sellers` selects one kind of
 * provider; null: all.
 */
export async function selectQuotes(
  sql: Queryable,
  { productId, sellers }: { productId: number; sellers: string | null },
): Promise<Quote[]> {
  return sql<Quote[]>`
    select v.day::text, v.provider_id, v.price, v.cards, v.valid_days, v.outlier as is_unsure
    from provider_price v join provider p using (provider_id)
    where v.product_id = ${productId} and v.price_type = 0 and v.country = '' and v.segment = ''
      and (not v.outlier or v.screened_by = 'unit')
      and (${sellers}::text is null or p.provider_source_type = ${sellers})
    order by v.day, v.provider_id`;
}

/**
 * Daily prices from the counted votes of one kind of provider, the newest first, computed like the price over all
 * providers.
 */
export async function selectClassPrices(
  sql: Queryable,
  {
    productId,
    priceType,
    country,
    first,
    last,
    sellers,
  }: { productId: number; priceType: number; country: string; first: string; last: string; sellers: string },
): Promise<PriceRow[]> {
  return sql<PriceRow[]>`
    select v.product_id, v.price_type, v.country, v.day::text, avg(v.price) as price,
      percentile_cont(0.5) within group (order by v.price) as price_median,
      percentile_cont(0.1) within group (order by v.price) as p10,
      percentile_cont(0.9) within group (order by v.price) as p90, count(*)::int as provider_count,
      sum(v.observations)::int as sample_size, min(coalesce(v.oldest_quote, v.day))::text as oldest_quote,
      case when bool_or(exists (
          select from provider_price u join provider q using (provider_id)
          where u.product_id = v.product_id and u.price_type = v.price_type and u.country = v.country and u.day = v.day
            and u.segment = '' and u.screened_by = 'unit' and q.provider_source_type = ${sellers}
        )) or count(*) < 2 then 'insufficient' when count(*) = 2 then 'thin' else 'ok' end as status
    from provider_price v join provider p using (provider_id)
    where v.product_id = ${productId} and v.price_type = ${priceType} and v.country = ${country}
      and v.day between ${first} and ${last} and v.segment = '' and not v.outlier
      and p.provider_source_type = ${sellers}
    group by v.product_id, v.price_type, v.country, v.day order by v.day desc`;
}

export interface JudgedVote extends VoteRow {
  day: string;
  /** the level of what its provider asked before, by which it was judged */
  own_level: number | null;
  /** number of votes that `own_level` is the median of; null if there is no level or the number was not stored */
  own_days: number | null;
  /** null if it counts */
  screened_by: Screen | null;
}

/** The judged votes of days, in the order in which prices are computed from them. */
export async function selectJudged(
  sql: Queryable,
  { first, last }: { first: string; last: string },
): Promise<JudgedVote[]> {
  return sql<JudgedVote[]>`
    select day::text, product_id, price_type, country, provider_id, segment, price, observations, cards, valid_days,
      coalesce(oldest_quote, day)::text as oldest_quote, source, own_level, own_days,
      coalesce(screened_by, case when outlier then 'others' end) as screened_by
    from provider_price where day between ${first} and ${last}
    order by day, product_id, price_type, country, provider_id, segment`;
}

export interface DailyPriceRow {
  day: string;
  product_id: number;
  price_type: number;
  country: string;
  price: number;
  price_median: number;
  p10: number;
  p90: number;
  provider_count: number;
  sample_size: number;
  oldest_quote: string;
  status: PriceStatus;
}

export interface PublishedPrice {
  day: string;
  product_id: number;
  price_type: number;
  country: string;
  price: number;
}

/**
 * Deletes votes and prices of these days, all at once because it scans their partitions; returns the published prices.
 */
export async function deletePrices(tx: Transaction, days: readonly string[]): Promise<PublishedPrice[]> {
  await tx`delete from provider_price where day = any(${days}::date[])`;
  return tx<PublishedPrice[]>`
    delete from daily_price where day = any(${days}::date[]) returning day::text, product_id, price_type, country, price`;
}

/** Inserts days that have no prices yet, in the order of their index, so that its blocks are visited once. */
export async function insertPrices(
  tx: Transaction,
  { votes, prices }: { votes: readonly JudgedVote[]; prices: readonly DailyPriceRow[] },
): Promise<void> {
  await tx`
    insert into provider_price (day, product_id, price_type, country, provider_id, price, observations, outlier, segment,
      cards, oldest_quote, valid_days, source, own_level, own_days, screened_by)
    select v.* from unnest(${votes.map((v) => v.day)}::date[], ${votes.map((v) => v.product_id)}::int4[],
      ${votes.map((v) => v.price_type)}::int2[], ${votes.map((v) => v.country)}::text[],
      ${votes.map((v) => v.provider_id)}::int4[], ${votes.map((v) => v.price)}::float8[],
      ${votes.map((v) => v.observations)}::int4[], ${votes.map((v) => String(v.screened_by !== null))}::text[]::bool[],
      ${votes.map((v) => v.segment)}::text[], ${votes.map((v) => v.cards)}::float4[],
      ${votes.map((v) => v.oldest_quote)}::date[], ${votes.map((v) => v.valid_days)}::int2[],
      ${votes.map((v) => v.source)}::text[],
      ${votes.map((v) => v.own_level)}::float8[], ${votes.map((v) => v.own_days)}::int2[],
      ${votes.map((v) => v.screened_by)}::text[])
      as v (day, product_id, price_type, country, provider_id, price, observations, outlier, segment, cards, oldest_quote,
        valid_days, source, own_level, own_days, screened_by)
    order by product_id, price_type, country, day, provider_id`;
  await tx`
    insert into daily_price (day, product_id, price_type, country, price, price_median, p10, p90, provider_count, sample_size,
      oldest_quote, status)
    select p.* from unnest(${prices.map((p) => p.day)}::date[], ${prices.map((p) => p.product_id)}::int4[],
      ${prices.map((p) => p.price_type)}::int2[], ${prices.map((p) => p.country)}::text[],
      ${prices.map((p) => p.price)}::float8[], ${prices.map((p) => p.price_median)}::float8[],
      ${prices.map((p) => p.p10)}::float8[], ${prices.map((p) => p.p90)}::float8[],
      ${prices.map((p) => p.provider_count)}::int4[], ${prices.map((p) => p.sample_size)}::int4[],
      ${prices.map((p) => p.oldest_quote)}::date[], ${prices.map((p) => p.status)}::text[])
      as p (day, product_id, price_type, country, price, price_median, p10, p90, provider_count, sample_size, oldest_quote,
        status)
    order by product_id, price_type, country, day`;
}

/** Updates the newest prices of all that these days touch, and deletes those without a price left. */
export async function refreshLatest(tx: Transaction, days: readonly string[]): Promise<void> {
  const keys = await tx<{ product_id: number; price_type: number; country: string }[]>`
    select product_id, price_type, country from latest_price where day = any(${days}::date[])
    union select product_id, price_type, country from daily_price where day = any(${days}::date[])`;
  const touched = tx`unnest(${keys.map((key) => key.product_id)}::int4[], ${keys.map((key) => key.price_type)}::int2[],
    ${keys.map((key) => key.country)}::text[]) as touched (product_id, price_type, country)`;
  await tx`delete from latest_price using ${touched} where latest_price.product_id = touched.product_id
    and latest_price.price_type = touched.price_type and latest_price.country = touched.country`;
  await tx`
    insert into latest_price (product_id, price_type, country, day, price, price_median, p10, p90, provider_count, sample_size,
      oldest_quote, status)
    select newest.* from ${touched}
    cross join lateral (
      select product_id, price_type, country, day, price, price_median, p10, p90, provider_count, sample_size, oldest_quote,
        status from daily_price d
      where d.product_id = touched.product_id and d.price_type = touched.price_type and d.country = touched.country
      order by day desc limit 1
    ) newest`;
}

/**
 * Locks the pricing of these months until this transaction ends, and waits for the one that holds them: a day is
 * computed from the observations of all sources, and those of an open transaction are not visible. By month, because a
 * lock for each day of ten years would fill the lock table of the server; in order, to avoid deadlocks.
 */
export async function lockPrices(tx: Transaction, days: readonly string[]): Promise<void> {
  const months = [...new Set(days.map((day) => day.slice(0, 7)))].toSorted();
  for (const month of months) await lockByName(tx, `market prices ${month}`);
}
