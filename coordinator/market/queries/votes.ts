import type { Queryable, Transaction } from '../../platform/db/client.ts';

export interface VoteRow {
  product_id: number;
  price_type: number;
  /** '' over all countries */
  country: string;
  provider_id: number;
  price: number;
  observations: number;
}

/** What a provider asks on a day for a product and term in a country. */
export interface OfferRow {
  product_id: number;
  price_type: number;
  country: string;
  provider_id: number;
  /** of eight bytes each, the highest first */
  prices: Buffer;
}

/** The offers of a day without those of resellers. As bytes: sorting or writing out every price costs more than reading it. */
export async function selectOffers(sql: Queryable, day: string): Promise<OfferRow[]> {
  return sql<OfferRow[]>`
    select product_id, price_type, coalesce(country, 'ZZ') as country, provider_id,
      string_agg(float8send(price), '') as prices
    from observation
    where observed_at >= ${day}::date and observed_at < ${day}::date + 1
      and provider_id <> all (array(select provider_id from provider where reseller))
    group by product_id, price_type, coalesce(country, 'ZZ'), provider_id`;
}

export interface SellerVote {
  day: string;
  provider_id: number;
  price: number;
  observations: number;
}

/** Votes on demand of one kind of provider over all countries, by day. Outliers among all providers are in it: they may not be among their kind. */
export async function selectVotesOfSellers(
  sql: Queryable,
  { productId, sellers, first, last }: { productId: number; sellers: string; first: string; last: string },
): Promise<SellerVote[]> {
  return sql<SellerVote[]>`
    select v.day::text, v.provider_id, v.price, v.observations
    from provider_price v join provider p using (provider_id)
    where v.product_id = ${productId} and v.price_type = 0 and v.country = '' and v.day between ${first} and ${last}
      and p.provider_source_type = ${sellers}
    order by v.day, v.provider_id`;
}

export interface JudgedVote extends VoteRow {
  day: string;
  outlier: boolean;
}

export interface DailyPriceRow {
  day: string;
  product_id: number;
  price_type: number;
  country: string;
  price: number;
  price_median: number;
  provider_count: number;
  sample_size: number;
}

/** Takes away the prices of days that are computed again. All at once: their partitions are read through for it. */
export async function deletePrices(tx: Transaction, days: readonly string[]): Promise<void> {
  await tx`delete from provider_price where day = any(${days}::date[])`;
  await tx`delete from daily_price where day = any(${days}::date[])`;
}

/** Days as they now are; they have no prices yet. In the order of their index, whose blocks are gone through once then. */
export async function insertPrices(
  tx: Transaction,
  { votes, prices }: { votes: readonly JudgedVote[]; prices: readonly DailyPriceRow[] },
): Promise<void> {
  await tx`
    insert into provider_price (day, product_id, price_type, country, provider_id, price, observations, outlier)
    select v.* from unnest(${votes.map((v) => v.day)}::date[], ${votes.map((v) => v.product_id)}::int4[],
      ${votes.map((v) => v.price_type)}::int2[], ${votes.map((v) => v.country)}::text[],
      ${votes.map((v) => v.provider_id)}::int4[], ${votes.map((v) => v.price)}::float8[],
      ${votes.map((v) => v.observations)}::int4[], ${votes.map((v) => String(v.outlier))}::text[]::bool[])
      as v (day, product_id, price_type, country, provider_id, price, observations, outlier)
    order by product_id, price_type, country, day, provider_id`;
  await tx`
    insert into daily_price (day, product_id, price_type, country, price, price_median, provider_count, sample_size)
    select p.* from unnest(${prices.map((p) => p.day)}::date[], ${prices.map((p) => p.product_id)}::int4[],
      ${prices.map((p) => p.price_type)}::int2[], ${prices.map((p) => p.country)}::text[],
      ${prices.map((p) => p.price)}::float8[], ${prices.map((p) => p.price_median)}::float8[],
      ${prices.map((p) => p.provider_count)}::int4[], ${prices.map((p) => p.sample_size)}::int4[])
      as p (day, product_id, price_type, country, price, price_median, provider_count, sample_size)
    order by product_id, price_type, country, day`;
}

/** The newest price of everything that these days touch; what has none any more goes. */
export async function refreshLatest(tx: Transaction, days: readonly string[]): Promise<void> {
  const keys = await tx<{ product_id: number; price_type: number; country: string }[]>`
    select product_id, price_type, country from latest_price where day = any(${days}::date[])
    union select product_id, price_type, country from daily_price where day = any(${days}::date[])`;
  const touched = tx`unnest(${keys.map((key) => key.product_id)}::int4[], ${keys.map((key) => key.price_type)}::int2[],
    ${keys.map((key) => key.country)}::text[]) as touched (product_id, price_type, country)`;
  await tx`delete from latest_price using ${touched} where latest_price.product_id = touched.product_id
    and latest_price.price_type = touched.price_type and latest_price.country = touched.country`;
  await tx`
    insert into latest_price (product_id, price_type, country, day, price, price_median, provider_count, sample_size)
    select newest.* from ${touched}
    cross join lateral (
      select product_id, price_type, country, day, price, price_median, provider_count, sample_size from daily_price d
      where d.product_id = touched.product_id and d.price_type = touched.price_type and d.country = touched.country
      order by day desc limit 1
    ) newest`;
}

/**
 * Waits for whoever is computing prices of these months, and lets nobody else begin before this transaction ends: a day
 * is computed from the observations of all sources, and those of a transaction that has not ended are not seen. By month,
 * for a lock on each day of ten years would fill the server's table of locks; in order, so that no two wait for each other.
 */
export async function lockPrices(tx: Transaction, days: readonly string[]): Promise<void> {
  const months = [...new Set(days.map((day) => day.slice(0, 7)))].toSorted();
  for (const month of months) await tx`select pg_advisory_xact_lock(hashtextextended(${`market prices ${month}`}, 0))`;
}
