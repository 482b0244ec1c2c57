import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import type { DayRange } from './affected-days.ts';

type IndexStatus = 'missing' | 'provisional' | 'frozen';

/** The figure of a day as derived now, or the reason why there is none. */
export interface Figure {
  day: string;
  value: string | null;
  coverage: string | null;
  models: number;
  tokens: string;
  reason: string | null;
}

export interface IndexDayRow extends Figure {
  token: string;
  version: string;
  status: IndexStatus;
  /** when its current value was first computed */
  computed_at: Date;
}

/** First and last day with usage, or with an index, whose usage may have been undone; null if there is none. */
export async function selectUsageRange(sql: Queryable): Promise<DayRange | null> {
  const rows = await sql<{ first: string | null; last: string | null }[]>`
    select min(day)::text as first, max(day)::text as last
    from (select day from token_usage_observation union all select day from token_index_day) d`;
  const { first, last } = one(rows);
  return first === null || last === null ? null : { first, last };
}

export async function selectIndexDays(
  sql: Queryable,
  tokens: readonly string[],
  day: string | null = null,
): Promise<IndexDayRow[]> {
  return sql<IndexDayRow[]>`
    select token, version, day::text, value::text, coverage::text, models, tokens::text, status, reason, computed_at
    from token_index_day where token = any(${[...tokens]}) and (${day}::date is null or day = ${day}::date)
    order by token, version, day`;
}

export async function saveIndexDays(tx: Transaction, rows: readonly IndexDayRow[]): Promise<void> {
  await tx`
    insert into token_index_day (token, version, day, value, coverage, models, tokens, status, reason, computed_at)
    select * from unnest(${rows.map((r) => r.token)}::text[], ${rows.map((r) => r.version)}::text[],
      ${rows.map((r) => r.day)}::text[]::date[], ${rows.map((r) => r.value)}::text[]::numeric[],
      ${rows.map((r) => r.coverage)}::text[]::numeric[], ${rows.map((r) => r.models)}::int4[],
      ${rows.map((r) => r.tokens)}::text[]::numeric[], ${rows.map((r) => r.status)}::text[],
      ${rows.map((r) => r.reason)}::text[], ${rows.map((r) => r.computed_at.toISOString())}::text[]::timestamptz[])
    on conflict (token, version, day) do update set value = excluded.value, coverage = excluded.coverage,
      models = excluded.models, tokens = excluded.tokens, status = excluded.status, reason = excluded.reason,
      computed_at = excluded.computed_at`;
}

export interface Restatement {
  token: string;
  version: string;
  day: string;
  restated_at: Date;
  from_value: string | null;
  to_value: string | null;
  reason: string;
}

/** Several of one day at the same instant are merged: from the first value to the last. */
export async function insertRestatements(tx: Transaction, rows: readonly Restatement[]): Promise<void> {
  for (const row of rows)
    await tx`
      insert into token_index_restatement ${tx(row)}
      on conflict (token, version, day, restated_at) do update set to_value = excluded.to_value, reason = excluded.reason`;
}

export async function selectRestatements(sql: Queryable, day: string): Promise<Restatement[]> {
  return sql<Restatement[]>`
    select token, version, day::text, restated_at, from_value::text, to_value::text, reason
    from token_index_restatement where day = ${day} order by restated_at, token`;
}

/** Figures of all days that have one, rounded half up to four decimals. */
export async function selectPublished(
  sql: Queryable,
): Promise<{ token: string; version: string; day: string; value: string }[]> {
  return sql`
    select token, version, day::text, round(value, 4)::text as value from token_index_day
    where value is not null order by token, version, day`;
}

/** What the figure of a day is based on. */
export interface IndexDayBasis {
  day: string;
  /** share of the day's tokens that have a price; null if the index has no coverage of its own, or nothing was sold */
  coverage: number | null;
  models: number;
  status: string;
  /** why there is no figure */
  reason: string | null;
}

/**
 * Of the derived days from `first` to `last`. Call it only once the index and these days are known to be in the caller's terms.
 */
export async function selectIndexBasis(
  sql: Queryable,
  { token, version, first, last }: { token: string; version: string; first: string; last: string },
): Promise<IndexDayBasis[]> {
  return sql<IndexDayBasis[]>`
    select day::text, coverage::float8 as coverage, models, status, reason from token_index_day
    where token = ${token} and version = ${version} and day between ${first}::date and ${last}::date`;
}
