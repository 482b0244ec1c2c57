import type { Queryable } from '../../platform/db/client.ts';
import type { Screen } from '../segments.ts';

export interface SourceDay {
  source: string;
  day: string;
  rows: number;
  products: number;
  providers: number;
}

/**
 * What each source delivered for each of these days, the newest first. Reads all observations of these days, so it can
 * be slow.
 */
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
  /** '' over all */
  country: string;
  provider: string;
  price: number;
  screened_by: Screen;
  own_level: number | null;
  /** median of the counted votes; null if there are none */
  price_median: number | null;
  provider_count: number;
  /** days with a vote up to this one since the last that counted */
  readings: number;
}

/** Days before a screened vote that are looked at to count its readings. */
const LONGEST_RUN_DAYS = 400;

/**
 * Votes of the day that are kept but not counted; in a country only if the same provider's vote over all countries is
 * not screened out.
 */
export async function selectScreenedVotes(sql: Queryable, day: string): Promise<ScreenedVote[]> {
  return sql<ScreenedVote[]>`
    select p.slug, v.price_type, v.country, s.slug as provider, v.price, coalesce(v.screened_by, 'others') as screened_by,
      v.own_level, d.price_median, coalesce(d.provider_count, 0) as provider_count, run.readings
    from provider_price v
    join product p using (product_id) join provider s using (provider_id)
    left join daily_price d on d.product_id = v.product_id and d.price_type = v.price_type and d.country = v.country and d.day = v.day
    cross join lateral (
      select count(*)::int4 as readings from provider_price w
      where w.product_id = v.product_id and w.price_type = v.price_type and w.country = v.country
        and w.provider_id = v.provider_id and w.segment = v.segment and w.day between ${day}::date - ${LONGEST_RUN_DAYS}::int4 and ${day}::date
        and w.day > coalesce((
          select max(c.day) from provider_price c
          where c.product_id = v.product_id and c.price_type = v.price_type and c.country = v.country
            and c.provider_id = v.provider_id and c.segment = v.segment and not c.outlier
            and c.day between ${day}::date - ${LONGEST_RUN_DAYS}::int4 and ${day}::date
        ), '-infinity')
    ) run
    where v.day = ${day} and v.outlier and v.segment = '' and (v.country = '' or not exists (
      select from provider_price a where a.product_id = v.product_id and a.price_type = v.price_type and a.country = ''
        and a.day = v.day and a.provider_id = v.provider_id and a.segment = '' and a.outlier))
    order by run.readings desc, p.slug, v.price_type, v.country, s.slug`;
}

export interface ChangedProvider {
  slug: string;
  price_type: number;
  provider: string;
  /** its newest vote over all countries */
  price: number;
  /** day of that vote */
  day: string;
  /** median of the price on that day */
  price_median: number | null;
}

/**
 * Providers that vote on the day and did not in the `days` before it, and those that voted the day before and do not
 * now.
 */
export async function selectChangedProviders(
  sql: Queryable,
  day: string,
  days: number,
): Promise<{ joined: ChangedProvider[]; left: ChangedProvider[] }> {
  const votes = sql`
    select v.*, p.slug, s.slug as provider from provider_price v
    join product p using (product_id) join provider s using (provider_id)
    where v.country = '' and v.segment = ''`;
  const [joined, left] = await Promise.all([
    sql<ChangedProvider[]>`
      select v.slug, v.price_type, v.provider, v.price, v.day::text, d.price_median
      from (${votes} and v.day = ${day}) v
      left join daily_price d on d.product_id = v.product_id and d.price_type = v.price_type and d.country = '' and d.day = v.day
      where not exists (
          select from provider_price b where b.product_id = v.product_id and b.price_type = v.price_type and b.country = ''
            and b.provider_id = v.provider_id and b.segment = '' and b.day between ${day}::date - ${days}::int4 and ${day}::date - 1)
        and exists (
          select from provider_price b where b.product_id = v.product_id and b.price_type = v.price_type and b.country = ''
            and b.segment = '' and b.day between ${day}::date - ${days}::int4 and ${day}::date - 1)
      order by v.slug, v.price_type, v.provider`,
    sql<ChangedProvider[]>`
      select b.slug, b.price_type, b.provider, b.price, b.day::text, d.price_median
      from (${votes} and v.day = ${day}::date - 1) b
      left join daily_price d on d.product_id = b.product_id and d.price_type = b.price_type and d.country = '' and d.day = b.day
      where not exists (
        select from provider_price v where v.product_id = b.product_id and v.price_type = b.price_type and v.country = ''
          and v.provider_id = b.provider_id and v.segment = '' and v.day = ${day})
      order by b.slug, b.price_type, b.provider`,
  ]);
  return { joined, left };
}

export interface PriceMove {
  slug: string;
  price_type: number;
  before: number;
  after: number;
  /** counted votes */
  providers_before: number;
  providers_after: number;
}

/** Prices over all countries that have risen or fallen by more than the factor `times` since the day before. */
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
