import type { Fragment } from 'postgres';
import type { Queryable } from '../../platform/db/client.ts';
import { SPLIT_DAYS } from './affected-days.ts';

/**
 * Usage of days as a table (day, permaslug, variant, model, tokens, tokens_input, tokens_output, is_estimated). Of several feeds
 * for a day, one that splits input from output is used. Without a split, tokens_input is total x input / (input + output) of the
 * same model over the 28 days before in feeds that have it, else of the market, rounded half up to a whole token, else null.
 * `days`: a query whose only column `day` is a list of dates.
 */
export const usageOf = (sql: Queryable, days: Fragment): Fragment => sql`(
  with wanted as (${days}),
  near as (
    select distinct w.day - back as day from wanted w cross join generate_series(0, ${SPLIT_DAYS}::int4) as back
  ), fed as (
    select distinct on (u.day) u.day, u.source, u.tokens_input is not null as has_split
    from token_usage_observation u join near on near.day = u.day
    order by u.day, (u.tokens_input is null), u.source
  ), said as (
    select u.* from token_usage_observation u join fed on fed.day = u.day and fed.source = u.source
  ), ratio as (
    select t.day, u.model, grouping(u.model) = 1 as is_market,
      sum(u.tokens_input) as input, sum(u.tokens_input) + sum(u.tokens_output) as both_ways
    from fed t join said u on u.day between t.day - ${SPLIT_DAYS}::int4 and t.day - 1 and u.tokens_input is not null
    where not t.has_split and t.day in (select day from wanted)
    group by grouping sets ((t.day, u.model), (t.day))
  ), estimated as (
    select u.day, u.permaslug, u.variant, u.model, u.tokens_total::numeric as tokens,
      coalesce(u.tokens_input, div(2 * u.tokens_total * coalesce(own.input, market.input)
        + coalesce(own.both_ways, market.both_ways), 2 * coalesce(own.both_ways, market.both_ways)))::numeric as tokens_input,
      u.tokens_input is null as is_estimated
    from said u
    left join ratio own on own.day = u.day and own.model = u.model and not own.is_market and own.both_ways > 0
    left join ratio market on market.day = u.day and market.is_market and market.both_ways > 0
    where u.day in (select day from wanted)
  )
  select *, tokens - tokens_input as tokens_output from estimated
)`;

export const daysBetween = (sql: Queryable, { first, last }: { first: string; last: string }): Fragment =>
  sql`select d::date as day from generate_series(${first}::date, ${last}::date, interval '1 day') as d`;

export const daysListed = (sql: Queryable, days: readonly string[]): Fragment =>
  sql`select d as day from unnest(${[...days]}::date[]) as d`;
