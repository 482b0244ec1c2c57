import type { ProviderSourceType } from '../contract/price-type.ts';
import { copyOut } from '../platform/db/driver/copy.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { maybeOne } from '../platform/db/rows.ts';
import type { CurvePoint } from './curve.ts';
import type { CurvePart } from './curve-archive.ts';
import type { CurveInputs } from './curve-of-class.ts';
import type { NamedRatio, RateRow } from './provider-terms.ts';

interface StoredRate extends RateRow {
  product_id: number;
  provider_source_type: ProviderSourceType;
}

/** Terms in months that curves are made from. */
const TERMS = [1, 3, 6, 12, 24, 36];

/**
 * Counted votes, on demand and for terms, of each provider and product on its newest day in the range that has terms.
 * From the standard market and Convertible contracts; resellers have no votes.
 */
export async function selectRates(sql: Queryable, range: { first: string; last: string }): Promise<StoredRate[]> {
  return sql<StoredRate[]>`
    with newest as (
      select product_id, provider_id, max(day) as day from provider_price
      where day between ${range.first} and ${range.last} and price_type = any(${TERMS}::int2[])
        and segment in ('', 'convertible') and not outlier
      group by product_id, provider_id)
    select v.product_id, p.slug as provider, p.provider_source_type, v.day::text, v.country, v.price_type,
      case v.segment when '' then 'standard' else 'convertible' end as contract, v.price
    from newest join provider_price v using (product_id, provider_id, day) join provider p using (provider_id)
    where v.price_type = any(${[0, ...TERMS]}::int2[]) and v.segment in ('', 'convertible') and not v.outlier
      and v.day between ${range.first} and ${range.last}
    order by v.product_id, p.slug, v.country, v.price_type, contract`;
}

/** Days of this range that have rates of terms. */
export async function selectRateDays(sql: Queryable, range: { first: string; last: string }): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct day::text from provider_price
    where day between ${range.first} and ${range.last} and price_type = any(${TERMS}::int2[]) order by day`;
  return rows.map(({ day }) => day);
}

/** The newest ratio of each provider and tenor that was published by this day. */
export async function selectRatios(sql: Queryable, day: string): Promise<NamedRatio[]> {
  return sql<NamedRatio[]>`
    select distinct on (provider_id, tenor_months) p.slug as provider, tenor_months::float8 as tenor, ratio, as_of::text,
      source_url
    from committed_use_ratio join provider p using (provider_id)
    where as_of <= ${day} order by provider_id, tenor_months, as_of desc`;
}

export async function findProviderId(sql: Queryable, name: string): Promise<number | null> {
  const rows = await sql<{ provider_id: number }[]>`
    select provider_id from provider where slug = ${name} or lower(name) = ${name} or ${name} = any(aliases)`;
  return maybeOne(rows)?.provider_id ?? null;
}

export async function insertRatio(
  tx: Transaction,
  row: { provider_id: number; tenor_months: number; as_of: string; ratio: number; source_url: string },
): Promise<void> {
  await tx`
    insert into committed_use_ratio ${tx(row)}
    on conflict (provider_id, tenor_months, as_of) do update set ratio = excluded.ratio, source_url = excluded.source_url`;
}

interface NewCurve {
  id: string;
  product_id: number;
  provider_source_type: ProviderSourceType;
  as_of: string;
  computed_at: Date;
  longest_months: number;
  providers: string[];
  flags: string[];
  inputs: CurveInputs;
}

/** False if another process has stored that curve: the first one stands. */
export async function insertCurve(tx: Transaction, curve: NewCurve, points: readonly CurvePoint[]): Promise<boolean> {
  const rows = await tx`
    insert into forward_curve ${tx({ ...curve, inputs: tx.json(curve.inputs) })}
    on conflict (product_id, provider_source_type, as_of) do nothing returning id`;
  if (rows.length === 0) return false;
  await tx`
    insert into forward_point (curve_id, tenor_months, term_rate, forward_rate, basis)
    select ${curve.id}::int8, p.* from unnest(${points.map((p) => p.tenor)}::float8[], ${points.map((p) => p.term)}::float8[],
      ${points.map((p) => p.forward)}::float8[], ${points.map((p) => p.basis)}::text[]) p`;
  return true;
}

/** Days of the range that have curves. */
export async function selectCurveDays(sql: Queryable, range: { first: string; last: string }): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct as_of::text as day from forward_curve where as_of between ${range.first} and ${range.last}`;
  return rows.map(({ day }) => day);
}

export interface CurveRow {
  id: string;
  product_id: number;
  slug: string;
  provider_source_type: ProviderSourceType;
  as_of: string;
  computed_at: Date;
  longest_months: number;
  providers: string[];
  flags: string[];
}

const columns = (sql: Queryable) => sql`
  c.id, product_id, p.slug, provider_source_type, as_of::text, computed_at, longest_months, providers, flags`;

interface CurveFilter {
  productId: number;
  sellers: ProviderSourceType | null;
  /** null: the newest of each kind of provider */
  asOf: { from: string; to: string } | null;
}

const passing = (sql: Queryable, { productId, sellers, asOf }: CurveFilter) => sql`
  product_id = ${productId} and (${sellers}::text is null or provider_source_type = ${sellers})
  and as_of between ${asOf?.from ?? '0001-01-01'} and ${asOf?.to ?? '9999-12-31'}
  and (${asOf !== null}::boolean or as_of = (select max(as_of) from forward_curve o
    where o.product_id = c.product_id and o.provider_source_type = c.provider_source_type))`;

/** Day and longest tenor of each curve of a filter, from which the allowed forward dates follow. */
export async function selectReach(
  sql: Queryable,
  filter: CurveFilter,
): Promise<Pick<CurveRow, 'as_of' | 'longest_months'>[]> {
  return sql<CurveRow[]>`
    select as_of::text, longest_months from forward_curve c where ${passing(sql, filter)} order by as_of desc limit 1000`;
}

interface PointFilter extends CurveFilter {
  forwardDate: string;
  limit: number;
  offset: number;
}

export type CurvePointRow = CurveRow & { total: number } & {
  tenor_months: number;
  term_rate: number;
  forward_rate: number;
  basis: CurvePoint['basis'];
};

/** The point of each curve for a forward date after its own day, the newest curve first. */
export async function selectPoints(
  sql: Queryable,
  { forwardDate, limit, offset, ...filter }: PointFilter,
): Promise<CurvePointRow[]> {
  return sql<CurvePointRow[]>`
    select ${columns(sql)}, point.tenor_months, term_rate, forward_rate, basis, (count(*) over ())::int4 as total
    from forward_curve c join product p using (product_id)
    join forward_point point on point.curve_id = c.id
      and point.tenor_months = round((${forwardDate}::date - as_of) * 12 / 365.25 * 4) / 4
    where ${passing(sql, filter)} and ${forwardDate}::date > as_of
    order by as_of desc, provider_source_type limit ${limit} offset ${offset}`;
}

export async function findCurve(sql: Queryable, id: string): Promise<CurveRow | null> {
  const rows = await sql<CurveRow[]>`
    select ${columns(sql)} from forward_curve c join product p using (product_id) where c.id = ${id}`;
  return maybeOne(rows) ?? null;
}

/** Curves of a range of days, for their files; the oldest first. */
export async function selectCurves(sql: Queryable, range: { first: string; last: string }): Promise<CurveRow[]> {
  return sql<CurveRow[]>`
    select ${columns(sql)} from forward_curve c join product p using (product_id)
    where as_of between ${range.first} and ${range.last} order by as_of, slug, provider_source_type`;
}

export async function selectInputs(
  sql: Queryable,
  { productId, day }: { productId: number; day: string },
): Promise<(CurveRow & { inputs: CurveInputs })[]> {
  return sql<(CurveRow & { inputs: CurveInputs })[]>`
    select ${columns(sql)}, inputs from forward_curve c join product p using (product_id)
    where product_id = ${productId} and as_of = ${day} order by provider_source_type`;
}

export async function selectWholeCurve(sql: Queryable, id: string): Promise<CurvePoint[]> {
  return sql<CurvePoint[]>`
    select tenor_months as tenor, term_rate as term, forward_rate as forward, basis from forward_point
    where curve_id = ${id} order by tenor_months`;
}

/** A curve as CSV with a header. COPY takes no parameters: the id is an integer, and the rest is fixed text. */
export function readCurveRows(tx: Transaction, { curveId }: CurvePart): AsyncGenerator<Buffer, void> {
  return copyOut(
    tx.unsafe(`copy (
      select as_of, p.slug as gpu, provider_source_type, point.tenor_months, term_rate, forward_rate, basis,
        array_to_string(providers, ' ') as providers
      from forward_curve c join product p using (product_id) join forward_point point on point.curve_id = c.id
      where c.id = ${BigInt(curveId)} order by point.tenor_months) to stdout with (format csv, header)`),
  );
}

/**
 * The newest curve of a product and kind of provider; for any kind, the one of the newest day with the most providers.
 */
export async function findNewestCurve(
  sql: Queryable,
  { productId, sellers }: Pick<CurveFilter, 'productId' | 'sellers'>,
): Promise<(CurveRow & { inputs: CurveInputs }) | null> {
  const rows = await sql<(CurveRow & { inputs: CurveInputs })[]>`
    select ${columns(sql)}, inputs from forward_curve c join product p using (product_id)
    where ${passing(sql, { productId, sellers, asOf: null })}
    order by as_of desc, cardinality(providers) desc, provider_source_type limit 1`;
  return maybeOne(rows) ?? null;
}
