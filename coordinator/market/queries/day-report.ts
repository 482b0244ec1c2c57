import type { Queryable } from '../../platform/db/client.ts';

export interface SourceDay {
  source: string;
  day: string;
  rows: number;
  products: number;
  providers: number;
}

/** What each source brought of each of these days; the newest first. Read through whole, as long as it takes. */
export async function selectSourceDays(
  sql: Queryable,
  { from, to }: { from: string; to: string },
): Promise<SourceDay[]> {
  return sql<SourceDay[]>`
    select r.source, o.observed_at::date::text as day, count(*)::float8 as rows,
      count(distinct o.product_id)::int4 as products, count(distinct o.provider_id)::int4 as providers
    from observation o join ingest_run r on r.id = o.run_id
    where o.observed_at >= ${from}::date and o.observed_at < ${to}::date + 1
    group by 1, 2 order by 1, 2 desc`;
}

export interface ScreenedVote {
  slug: string;
  price_type: number;
  country: string;
  provider: string;
  price: number;
  /** of the votes that count */
  price_median: number;
  provider_count: number;
}

/** Votes of the day that are kept and not counted. */
export async function selectScreenedVotes(sql: Queryable, day: string): Promise<ScreenedVote[]> {
  return sql<ScreenedVote[]>`
    select p.slug, v.price_type, v.country, s.name as provider, v.price, d.price_median, d.provider_count
    from provider_price v
    join daily_price d using (product_id, price_type, country, day)
    join product p using (product_id) join provider s using (provider_id)
    where v.day = ${day} and v.outlier order by p.slug, v.price_type, v.country, s.name`;
}

export interface PriceMove {
  slug: string;
  price_type: number;
  before: number;
  after: number;
  /** votes that count */
  providers_before: number;
  providers_after: number;
}

/** Prices over all countries that are more than `times` those of the day before, or less than that part of them. */
export async function selectMoves(sql: Queryable, day: string, times: number): Promise<PriceMove[]> {
  return sql<PriceMove[]>`
    select p.slug, d.price_type, b.price as before, d.price as after, b.provider_count as providers_before,
      d.provider_count as providers_after
    from daily_price d
    join daily_price b on b.product_id = d.product_id and b.price_type = d.price_type and b.country = d.country
      and b.day = ${day}::date - 1
    join product p on p.product_id = d.product_id
    where d.day = ${day} and d.country = '' and greatest(d.price / b.price, b.price / d.price) > ${times}::float8
    order by greatest(d.price / b.price, b.price / d.price) desc, p.slug, d.price_type`;
}
