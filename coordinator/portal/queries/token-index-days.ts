import type { Queryable } from '../../platform/db/client.ts';

/** What a figure of a day stands on. */
export interface IndexDayBasis {
  day: string;
  /** share of the day's tokens that have a price; null: the index has none of its own, or nothing was sold */
  coverage: number | null;
  models: number;
  status: string;
  /** why there is no figure */
  reason: string | null;
}

/** Of the days that were derived, ends included. The caller has the index and these days in his terms. */
export async function selectIndexBasis(
  sql: Queryable,
  { token, version, first, last }: { token: string; version: string; first: string; last: string },
): Promise<IndexDayBasis[]> {
  return sql<IndexDayBasis[]>`
    select day::text, coverage::float8 as coverage, models, status, reason from token_index_day
    where token = ${token} and version = ${version} and day between ${first}::date and ${last}::date`;
}
