import type { GpuProduct, ProviderRecord } from '../../contract/market.ts';
import type { PriceStatus } from '../../contract/market.ts';
import type { Fragment } from 'postgres';
import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';

export type ProductRow = GpuProduct & { accelerator_type: string; form_factor: string | null };

/** The whole catalogue, by name. */
export async function selectProducts(sql: Queryable): Promise<ProductRow[]> {
  return sql<ProductRow[]>`
    select product_id, slug as product_slug, chip, name, manufacturer, mem, mem_bus, bus, bandwidth, tdp, fp16, msrp,
      released_date::text, architecture, accelerator_type, form_factor
    from product order by name, product_id`;
}

export interface PriceRow {
  product_id: number;
  price_type: number;
  country: string;
  day: string;
  price: number;
  price_median: number;
  /** null, here and below, in rows of an earlier release until they are recomputed */
  p10: number | null;
  p90: number | null;
  provider_count: number;
  sample_size: number;
  oldest_quote: string | null;
  status: PriceStatus | null;
}

/** Columns of `daily_price` and `latest_price` that make up a `PriceRow`. */
export const priceColumns = `product_id, price_type, country, day::text, price, price_median, p10, p90, provider_count, sample_size,
  oldest_quote::text, status`;

/** The newest price of each product, term and country, including ''; a few thousand rows. */
export async function selectLatest(sql: Queryable): Promise<PriceRow[]> {
  return sql<PriceRow[]>`
    select ${sql.unsafe(priceColumns)} from latest_price where price_type not in (24, 36) order by product_id, price_type, country`;
}

export interface PriceKey {
  productId: number;
  priceType: number;
}

/** Prices of one product and term: the newest day first, then by country; '' is the price over all. */
export async function selectDays(
  sql: Queryable,
  { productId, priceType, first, before }: PriceKey & { first: string; before: string },
): Promise<PriceRow[]> {
  return sql`
    select ${sql.unsafe(priceColumns)} from daily_price
    where product_id = ${productId} and price_type = ${priceType} and day >= ${first} and day < ${before}
    order by daily_price.day desc, country`;
}

interface FilteredPrices {
  productIds: number[] | null;
  priceTypes: number[] | null;
  countries: string[] | null;
  priceMin: number | null;
  priceMax: number | null;
  startDate: string;
  endDate: string;
}

export type PriceOrder = [column: string, direction: 'asc' | 'desc'][];

/**
 * Daily prices that pass the filter; those over all countries only if requested. `order` takes the columns of
 * `filter-price`.
 */
export async function selectFiltered(
  sql: Queryable,
  { productIds, priceTypes, countries, priceMin, priceMax, startDate, endDate }: FilteredPrices,
  { limit, offset, order }: { limit: number; offset: number; order: PriceOrder },
): Promise<{ total: number; rows: PriceRow[] }> {
  const from = sql`
    daily_price d join product p using (product_id)
    where day between ${startDate} and ${endDate} and price_type not in (24, 36)
      and (${productIds}::int4[] is null or product_id = any(${productIds}::int4[]))
      and (${priceTypes}::int2[] is null or price_type = any(${priceTypes}::int2[]))
      and (case when ${countries}::text[] is null then country <> '' else country = any(${countries}::text[]) end)
      and (${priceMin}::float8 is null or price >= ${priceMin}) and (${priceMax}::float8 is null or price <= ${priceMax})`;
  const columns: Record<string, Fragment> = {
    date: sql`day`,
    price: sql`price`,
    product_slug: sql`p.slug`,
    name: sql`p.name`,
    country: sql`country`,
    price_type: sql`price_type`,
  };
  const terms = order.map(
    ([column, direction]) => sql`${columns[column] ?? sql`day`} ${direction === 'asc' ? sql`asc` : sql`desc`}`,
  );
  const ordered = terms.reduce((all, term) => sql`${all}, ${term}`);
  // One after the other: a dear query has one connection of the pool.
  const counted = await sql<{ total: number }[]>`select count(*)::int4 as total from ${from}`;
  const rows = await sql<PriceRow[]>`
    select ${sql.unsafe(priceColumns)} from ${from}
    order by ${ordered}, product_id, price_type, country limit ${limit} offset ${offset}`;
  return { total: one(counted).total, rows };
}

/** Providers that have votes, with their countries, number of products, first and last day. */
export async function selectProviders(sql: Queryable): Promise<ProviderRecord[]> {
  return sql<ProviderRecord[]>`
    select p.slug as id, p.name, p.provider_source_type,
      coalesce(seen.countries, '{}') as countries, seen.product_count, seen.first_seen::text,
      seen.last_seen::text
    from (
      select provider_id, array_agg(distinct country order by country) filter (where country <> 'ZZ') as countries,
        count(distinct product_id)::int4 as product_count, min(first_day) as first_seen, max(last_day) as last_seen
      from provider_presence group by provider_id
    ) seen
    join provider p using (provider_id) order by p.name`;
}

/** Providers with a vote in the newest price of each country. */
export async function countProvidersByCountry(sql: Queryable): Promise<{ country: string; provider_count: number }[]> {
  return sql`
    select v.country, count(distinct v.provider_id)::int4 as provider_count
    from latest_price l join provider_price v using (product_id, price_type, country, day)
    where l.country <> '' and v.segment = '' and not v.outlier group by v.country`;
}
