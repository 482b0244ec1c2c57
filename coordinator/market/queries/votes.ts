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

/** One vote per provider of a day: the median of its offers, in each country and over all. Resellers have none. */
export async function selectVotes(sql: Queryable, day: string): Promise<VoteRow[]> {
  return sql<VoteRow[]>`
    select o.product_id, o.price_type, coalesce(o.place, '') as country, o.provider_id,
      percentile_cont(0.5) within group (order by o.price) as price, count(*)::int4 as observations
    from (
      select product_id, price_type, provider_id, price, coalesce(country, 'ZZ') as place
      from observation where observed_at >= ${day}::date and observed_at < ${day}::date + 1
    ) o
    join provider p using (provider_id)
    where not p.reseller
    group by grouping sets (
      (o.product_id, o.price_type, o.provider_id, o.place), (o.product_id, o.price_type, o.provider_id))
    order by o.product_id, o.price_type, country, o.provider_id`;
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
  outlier: boolean;
}

export interface DailyPriceRow {
  product_id: number;
  price_type: number;
  country: string;
  price: number;
  price_median: number;
  provider_count: number;
  sample_size: number;
}

/** A day as it now is, in place of what was there. */
export async function replaceDay(
  tx: Transaction,
  day: string,
  { votes, prices }: { votes: readonly JudgedVote[]; prices: readonly DailyPriceRow[] },
): Promise<void> {
  await tx`delete from provider_price where day = ${day}`;
  await tx`delete from daily_price where day = ${day}`;
  await tx`
    insert into provider_price (day, product_id, price_type, country, provider_id, price, observations, outlier)
    select ${day}, v.* from unnest(${votes.map((v) => v.product_id)}::int4[], ${votes.map((v) => v.price_type)}::int2[],
      ${votes.map((v) => v.country)}::text[], ${votes.map((v) => v.provider_id)}::int4[],
      ${votes.map((v) => v.price)}::float8[], ${votes.map((v) => v.observations)}::int4[],
      ${votes.map((v) => String(v.outlier))}::text[]::bool[]) v`;
  await tx`
    insert into daily_price (day, product_id, price_type, country, price, price_median, provider_count, sample_size)
    select ${day}, p.* from unnest(${prices.map((p) => p.product_id)}::int4[], ${prices.map((p) => p.price_type)}::int2[],
      ${prices.map((p) => p.country)}::text[], ${prices.map((p) => p.price)}::float8[],
      ${prices.map((p) => p.price_median)}::float8[], ${prices.map((p) => p.provider_count)}::int4[],
      ${prices.map((p) => p.sample_size)}::int4[]) p`;
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

/** What readers hold of the market is old from now on. */
export async function bumpVersion(tx: Transaction): Promise<void> {
  await tx`update market_version set version = version + 1`;
}

export async function readVersion(sql: Queryable): Promise<string> {
  const [row] = await sql<{ version: string }[]>`select version from market_version`;
  return row?.version ?? '0';
}
