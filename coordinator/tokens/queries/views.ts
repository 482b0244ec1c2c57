import type { Fragment } from 'postgres';
import type { BookRow } from '../../contract/token-prices.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { PulseFigures } from '../pulse-trend.ts';
import type { ViewFilter, ViewOrder } from '../data-view.ts';

/** One page of the rows of some days that pass a filter. */
interface ViewedDays {
  days: readonly string[];
  filter: ViewFilter;
  order: ViewOrder;
  limit: number;
  offset: number;
}

const bookFrom = (sql: Queryable) => sql`token_book b join token_model_day m using (day, model)`;
const pulseFrom = (sql: Queryable) => sql`token_pulse p join token_model_day m using (day, model)`;

const bookColumns = (sql: Queryable) => sql`
  day::text as date, developer, model_name, model_type, model_status, total_param::float8 as total_param,
  active_param::float8 as active_param, context_length::float8 as context_length, price_input::float8 as price_input,
  price_output::float8 as price_output, price_cached_input::float8 as price_cached_input, source_id, source_type, screened_by`;
const pulseColumns = (sql: Queryable) => sql`
  day::text as date, model, developer, model_name, model_type, model_status, volume_input_index::float8 as volume_input_index,
  volume_output_index::float8 as volume_output_index, avg_price_input::float8 as avg_price_input,
  avg_price_output::float8 as avg_price_output, med_price_input::float8 as med_price_input,
  med_price_output::float8 as med_price_output, sellers, volume_counts, is_estimated`;

/** The usual order: that of the files, but with the newest day first. */
const bookOrder = (sql: Queryable) => sql`
  day desc, developer collate "C", model_name collate "C", source_id collate "C", model collate "C"`;
const pulseOrder = (sql: Queryable) => sql`day desc, developer collate "C", model_name collate "C", model collate "C"`;

/** The newest day that has rows; null if there are none. */
export async function findNewestDays(sql: Queryable): Promise<{ book: string | null; pulse: string | null }> {
  const row = maybeOne(
    await sql<{ book: string | null; pulse: string | null }[]>`
    select (select max(day)::text from token_book) as book, (select max(day)::text from token_pulse) as pulse`,
  );
  return row ?? { book: null, pulse: null };
}

export const selectBook = (sql: Queryable, day: string): Promise<BookRow[]> =>
  sql<BookRow[]>`select ${bookColumns(sql)} from ${bookFrom(sql)} where day = ${day} order by ${bookOrder(sql)}`;

export const selectPulse = (sql: Queryable, from: string, to: string): Promise<PulseFigures[]> =>
  sql<PulseFigures[]>`
    select ${pulseColumns(sql)} from ${pulseFrom(sql)} where day between ${from} and ${to} order by ${pulseOrder(sql)}`;

export async function selectBookView(sql: Queryable, view: ViewedDays): Promise<{ total: number; rows: BookRow[] }> {
  const from = sql`${bookFrom(sql)} where ${passes(sql, view)}`;
  const total = await countRows(sql, from);
  const rows = await sql<BookRow[]>`
    select ${bookColumns(sql)} from ${from} order by ${orderOf(sql, view.order)}${bookOrder(sql)}
    limit ${view.limit} offset ${view.offset}`;
  return { total, rows };
}

export async function selectPulseView(
  sql: Queryable,
  view: ViewedDays,
): Promise<{ total: number; rows: PulseFigures[] }> {
  const from = sql`${pulseFrom(sql)} where ${passes(sql, view)}`;
  const total = await countRows(sql, from);
  const rows = await sql<PulseFigures[]>`
    select ${pulseColumns(sql)} from ${from} order by ${orderOf(sql, view.order)}${pulseOrder(sql)}
    limit ${view.limit} offset ${view.offset}`;
  return { total, rows };
}

/** Before the rows and not beside them: a dear query has one connection of the pool. */
const countRows = async (sql: Queryable, from: Fragment): Promise<number> =>
  one(await sql<{ total: number }[]>`select count(*)::int4 as total from ${from}`).total;

/** The same rule as `passesFilter` for rows in memory. */
function passes(sql: Queryable, { days, filter }: ViewedDays): Fragment {
  const columns: Record<string, Fragment> = {
    developer: sql`developer`,
    model_name: sql`model_name`,
    model_type: sql`model_type`,
    model_status: sql`model_status`,
    source_id: sql`source_id`,
    source_type: sql`source_type`,
  };
  let all = sql`day = any(${[...days]}::text[]::date[])`;
  for (const { column, values, isPart } of filter) {
    const name = columns[column];
    if (name === undefined) throw new Error(`rows have no column ${column} to filter by`);
    all = isPart
      ? sql`${all} and exists (select from unnest(${[...values]}::text[]) part where strpos(lower(${name}), part) > 0)`
      : sql`${all} and ${name} = any(${[...values]}::text[])`;
  }
  return all;
}

/** Ends with a comma, unless it is empty. */
function orderOf(sql: Queryable, order: ViewOrder): Fragment {
  const columns: Record<string, Fragment> = {
    date: sql`day`,
    developer: sql`developer collate "C"`,
    model_name: sql`model_name collate "C"`,
    model_type: sql`model_type collate "C"`,
    model_status: sql`model_status collate "C"`,
    total_param: sql`total_param`,
    active_param: sql`active_param`,
    context_length: sql`context_length`,
    price_input: sql`price_input`,
    price_output: sql`price_output`,
    price_cached_input: sql`price_cached_input`,
    source_id: sql`source_id collate "C"`,
    source_type: sql`source_type collate "C"`,
    volume_input_index: sql`volume_input_index`,
    volume_output_index: sql`volume_output_index`,
    avg_price_input: sql`avg_price_input`,
    avg_price_output: sql`avg_price_output`,
    med_price_input: sql`med_price_input`,
    med_price_output: sql`med_price_output`,
  };
  let all = sql``;
  for (const [column, direction] of order) {
    const name = columns[column];
    if (name === undefined) throw new Error(`rows have no column ${column} to order by`);
    all = sql`${all}${name} ${direction === 'asc' ? sql`asc` : sql`desc`} nulls last, `;
  }
  return all;
}
