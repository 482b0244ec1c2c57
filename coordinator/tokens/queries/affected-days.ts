import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { lockForLong } from '../../platform/db/transactions.ts';
import { one } from '../../platform/db/rows.ts';

export interface DayRange {
  first: string;
  last: string;
}

/** How many of the days before are used to estimate a day's split of input and output. */
export const SPLIT_DAYS = 28;
/** Days that a price holds after the day on which it was read. */
const HOLDS_DAYS = 6;

/**
 * Only one transaction at a time derives token figures; this waits for the one before: a day is derived from the observations of
 * all sources, and those of a transaction that has not ended are not visible. It may take long.
 */
export async function lockTokenDays(tx: Transaction): Promise<void> {
  await lockForLong(tx, 'token days');
}

/**
 * Days of the book that readings of these days can change: up to six days later, but none that has not begun, and back to the
 * start of dated prices as far as these readings apply there, or a later reading did until now, or to the day after the book
 * ends.
 */
export async function selectBookRange(tx: Transaction, { first, last }: DayRange, today: string): Promise<DayRange> {
  const rows = await tx<DayRange[]>`
    with reading as (
      select distinct o.source, r.scope, o.day
      from token_price_observation o join ingest_run r on r.id = o.run_id
    ), spoken as (
      select source, scope, day, lag(day) over (partition by source, scope order by day) as before from reading
    ), dated as (
      select min(greatest(o.valid_from, s.before + ${HOLDS_DAYS + 1}::int4)) as day
      from token_price_observation o join ingest_run r on r.id = o.run_id
      join spoken s on s.source = o.source and s.scope = r.scope and s.day = o.day
      where o.day between ${first} and ${last} and o.valid_from < o.day
        and (s.before is null or s.before + ${HOLDS_DAYS + 1}::int4 < o.day)
    ), backward as (
      select min(day) as day from token_book where day < ${first} and observed_on >= ${first}
    )
    select least(${first}::date, (select day from dated), (select day from backward),
        (select max(day) + 1 from token_book))::text as first,
      least(${last}::date + ${HOLDS_DAYS}::int4, ${today}::date)::text as last`;
  return one(rows);
}

/** Whether the days were derived by rules of an earlier version. */
export async function hasEarlierRules(sql: Queryable, rules: number): Promise<boolean> {
  return one(await sql<{ has: boolean }[]>`select rules < ${rules} as has from token_rules`).has;
}

export async function saveRules(tx: Transaction, rules: number): Promise<void> {
  await tx`update token_rules set rules = ${rules} where rules < ${rules}`;
}

/** First and last day of all readings; null if there is none. */
export async function selectReadDays(tx: Transaction): Promise<DayRange | null> {
  const rows = await tx<{ first: string | null; last: string | null }[]>`
    select min(day)::text as first, max(day)::text as last from (
      select day from token_price_observation union all select day from token_usage_observation) d`;
  const { first, last } = one(rows);
  return first === null || last === null ? null : { first, last };
}

/** Whether a reading's prices hold today and the book does not have today yet. */
export async function lacksDay(sql: Queryable, today: string): Promise<boolean> {
  const rows = await sql<{ lacks: boolean | null }[]>`
    select (select max(day) from token_price_observation) + ${HOLDS_DAYS}::int4 >= ${today}::date
      and coalesce((select max(day) from token_book) < ${today}::date, true) as lacks`;
  return one(rows).lacks ?? false;
}

/** The first Monday to Sunday on which the split of input and output is always known or can be estimated; null if none yet. */
export async function selectBaseWeek(tx: Transaction): Promise<DayRange | null> {
  const rows = await tx<{ first: string | null; last: string | null }[]>`
    with fed as (
      select day, bool_or(tokens_input is not null) as has_split from token_usage_observation group by day
    ), week as (
      select date_trunc('week', day)::date as monday from fed
      where has_split or exists (
        select from fed before where before.has_split
          and before.day between fed.day - ${SPLIT_DAYS}::int4 and fed.day - 1)
      group by 1 having count(*) = 7
    )
    select min(monday)::text as first, (min(monday) + 6)::text as last from week`;
  const { first, last } = one(rows);
  return first === null || last === null ? null : { first, last };
}

/**
 * Days of the pulse that change with the book of `book` and with observations of `read`: also days whose split is estimated from
 * those, and if the base week can change, every day that has a pulse.
 */
export async function selectPulseRange(
  tx: Transaction,
  { read, book, baseWeek }: { read: DayRange; book: DayRange; baseWeek: DayRange | null },
): Promise<DayRange> {
  const rows = await tx<DayRange[]>`
    with base as (
      select ${baseWeek?.first ?? null}::date as monday
    ), changed as (
      select monday is not null and monday + 6 >= ${read.first}::date
        and monday <= ${read.last}::date + ${SPLIT_DAYS}::int4 as all_days from base
    ), known as (
      select min(day) as first, max(day) as last
      from (select day from token_usage_observation union all select day from token_book) d
    )
    select case when all_days then least(${book.first}::date, known.first) else ${book.first}::date end::text as first,
      greatest(${book.last}::date, case when all_days then known.last end,
        (select max(day) from token_usage_observation
         where tokens_input is null and day between ${read.last} and ${read.last}::date + ${SPLIT_DAYS}::int4))::text as last
    from changed, known`;
  return one(rows);
}
