import type { ProviderSourceType } from '../../contract/price-type.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import { HISTORY_DAYS, LEAST_DAYS, type Screen } from '../segments.ts';
import type { OfferKey } from './offers.ts';
import { priceColumns, type PriceRow } from './prices.ts';

/** Selects the prices of a product on a day; null means every term, or every country. */
export interface ExplainedDay {
  productId: number;
  day: string;
  priceType: number | null;
  /** '' over all */
  country: string | null;
}

export interface NamedProduct {
  product_id: number;
  slug: string;
  name: string;
}

export async function selectNamedProduct(sql: Queryable, slugOrId: string): Promise<NamedProduct | undefined> {
  return maybeOne(
    await sql<NamedProduct[]>`
    select product_id, slug, name from product where slug = ${slugOrId} or product_id::text = ${slugOrId}
    order by slug = ${slugOrId} desc limit 1`,
  );
}

export const selectPricesOfDay = (
  sql: Queryable,
  { productId, day, priceType, country }: ExplainedDay,
): Promise<PriceRow[]> => sql<PriceRow[]>`
  select ${sql.unsafe(priceColumns)} from daily_price
  where product_id = ${productId} and day = ${day} and (${priceType}::int2 is null or price_type = ${priceType})
    and (${country}::text is null or country = ${country})
  order by price_type, country`;

export interface VoteOfDay {
  price_type: number;
  country: string;
  provider: string;
  provider_source_type: ProviderSourceType;
  segment: string;
  price: number;
  observations: number;
  cards: number | null;
  oldest_quote: string;
  own_level: number | null;
  /**
   * number of earlier votes that `own_level` is the median of; null if there is no level, or if it is carried over from
   * a day stored without the number
   */
  own_days: number | null;
  screened_by: Screen | null;
}

/**
 * For votes stored without `own_days`, one scan over the votes before counts it; other days skip the scan. While a
 * provider's votes are screened out and too few others are left, the level that screened them out stays in force
 * (pricing/own-history.ts): it is not the median of the votes counted here, so `own_days` stays null.
 */
export const selectVotesOfDay = (
  sql: Queryable,
  { productId, day, priceType, country }: ExplainedDay,
): Promise<VoteOfDay[]> => sql<VoteOfDay[]>`
  with asked as (
    select * from provider_price
    where product_id = ${productId} and day = ${day} and (${priceType}::int2 is null or price_type = ${priceType})
      and (${country}::text is null or country = ${country})
  ), past as (
    select price_type, country, provider_id, count(*) filter (where screened_by is null and not outlier)::int4 as days,
      (array_agg(screened_by order by day desc))[1] in ('own-history', 'unit') as is_kept_out
    from provider_price
    where product_id = ${productId} and day >= ${day}::date - ${HISTORY_DAYS}::int4 and day < ${day}::date and segment = ''
      and exists (select from asked where own_level is not null and own_days is null)
      and (${priceType}::int2 is null or price_type = ${priceType}) and (${country}::text is null or country = ${country})
    group by price_type, country, provider_id
  )
  select v.price_type, v.country, p.name as provider, p.provider_source_type, v.segment, v.price, v.observations, v.cards,
    coalesce(v.oldest_quote, v.day)::text as oldest_quote, v.own_level,
    coalesce(v.own_days, case when v.own_level is not null and not (past.days < ${LEAST_DAYS}::int4 and past.is_kept_out is true)
      then nullif(past.days, 0) end) as own_days,
    coalesce(v.screened_by, case when v.outlier then 'others' end) as screened_by
  from asked v join provider p using (provider_id)
    left join past on past.price_type = v.price_type and past.country = v.country and past.provider_id = v.provider_id
  order by v.price_type, v.country, v.segment, v.price, p.name`;

/** One row of a source, with the key of its offer. */
export interface ObservationOfDay extends OfferKey {
  provider: string;
  reseller: boolean;
  /** null if the source does not state it */
  stated_country: string | null;
  price: number;
  original_price: number;
  currency: string;
  label: string | null;
  evidence: string | null;
  doubt: string | null;
  source: string;
  origin: string;
  file: string | null;
  row: number | null;
  row_hash: string | null;
  observed_at: Date;
}

/** One page of observations, and how many there are in all. */
export async function selectObservationsOfDay(
  sql: Queryable,
  { productId, day, priceType, country }: ExplainedDay,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: ObservationOfDay[] }> {
  const wanted = sql`
    o.product_id = ${productId} and o.observed_at >= ${day}::date and o.observed_at < ${day}::date + 1
    and (${priceType}::int2 is null or o.price_type = ${priceType})
    and (nullif(${country}::text, '') is null or coalesce(o.country, 'ZZ') = ${country})`;
  const [counted, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int4 as total from observation o where ${wanted}`,
    sql<ObservationOfDay[]>`
      select o.product_id, o.price_type, coalesce(o.country, 'ZZ') as country, o.country as stated_country, o.provider_id,
        coalesce(o.segment, case when o.gpu_count < 1 then 'fraction' else '' end) as segment, o.gpu_count, o.sized,
        o.cluster_size, o.region, o.offer, o.run_id, p.name as provider, p.reseller, o.price, o.original_price, o.currency,
        o.label, o.evidence, o.doubt, r.source, r.origin, r.file, o.row, encode(o.row_hash, 'hex') as row_hash, o.observed_at
      from observation o join provider p using (provider_id) join ingest_run r on r.id = o.run_id
      where ${wanted} order by o.price_type, p.name, o.price, o.run_id, o.row limit ${limit} offset ${offset}`,
  ]);
  return { total: counted[0]?.total ?? 0, rows };
}

export async function selectProviderNames(sql: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ provider_id: number; name: string }[]>`
    select provider_id, name from provider where provider_id = any(${ids as number[]}::int4[])`;
  return new Map(rows.map(({ provider_id, name }) => [provider_id, name]));
}
