import type { Queryable } from '../../platform/db/client.ts';

export interface PricedProduct {
  product_id: number;
  slug: string;
  form_factor: string | null;
  msrp: number | null;
}

/** What the rules of pricing ask of products. */
export async function selectPricedProducts(sql: Queryable): Promise<PricedProduct[]> {
  return sql<PricedProduct[]>`select product_id, slug, form_factor, msrp from product`;
}

export async function selectMarketplaces(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ provider_id: number }[]>`
    select provider_id from provider where provider_source_type = 'Marketplace'`;
  return rows.map(({ provider_id }) => provider_id);
}

export interface Ruling {
  provider_id: number;
  product_id: number;
  price_type: number;
  first_day: string;
  last_day: string | null;
}

export async function selectRulings(sql: Queryable): Promise<Ruling[]> {
  return sql<Ruling[]>`
    select provider_id, product_id, price_type, first_day::text, last_day::text from vote_ruling order by id`;
}

/** Offers of these providers do not vote: the machines are others'. */
export async function selectResellers(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ provider_id: number }[]>`select provider_id from provider where reseller`;
  return rows.map(({ provider_id }) => provider_id);
}

/** From which day to which day other readings may have observations. */
export async function selectReadingsBeside(
  sql: Queryable,
  { first, last, runId }: { first: string; last: string; runId: string },
): Promise<{ first_day: string; last_day: string }[]> {
  return sql<{ first_day: string; last_day: string }[]>`
    select distinct first_day::text, last_day::text from ingest_run
    where first_day <= ${last} and last_day >= ${first} and id <> ${runId}`;
}
