import type { Transaction } from '../../platform/db/client.ts';
import { ownSourceOf, sourceOrder } from '../source-order.ts';
import type { DayRange } from './affected-days.ts';

export async function deleteBook(tx: Transaction, { first, last }: DayRange): Promise<void> {
  await tx`delete from token_book where day between ${first} and ${last}`;
}

/**
 * Derives the book of these days. For each part of a source one reading applies to a day: the newest one up to it, if it is less
 * than seven days old, else the next one after it, with its dated prices only. Of several labels of a model the shortest is used:
 * the one without a date. Of several sources the seller's own is used, then the one read last, then by their order.
 */
export async function insertBook(tx: Transaction, { first, last }: DayRange): Promise<void> {
  await tx`
    with reading as (
      select distinct o.source, r.scope, o.day
      from token_price_observation o join ingest_run r on r.id = o.run_id
    ), turn as (
      select source, scope, day, lag(day) over part as before, lead(day) over part as next
      from reading window part as (partition by source, scope order by day)
    ), speaks as (
      -- since it was read, until it is read again
      select source, scope, day, day as begins, least(day + 7, next) as ends, false as dated_only from turn
      union all
      -- before, where no reading holds
      select source, scope, day, coalesce(before + 7, '-infinity'), day, true from turn
      where before is null or before + 7 < day
    ), said as (
      select o.*, s.begins, s.ends
      from token_price_observation o join ingest_run r on r.id = o.run_id
      join speaks s on s.source = o.source and s.scope = r.scope and s.day = o.day
      where o.variant = 'standard' and o.price_input is not null and o.price_output is not null
        and (not s.dated_only or o.valid_from is not null)
        and s.begins <= ${last}::date and s.ends > ${first}::date
    ), held as (
      select d.day::date as on_day, said.*
      from said cross join lateral generate_series(
        greatest(begins, valid_from, ${first}::date),
        least(ends - 1, valid_to - 1, ${last}::date), interval '1 day') as d (day)
    ), of_source as (
      select distinct on (on_day, model, seller, source) * from held
      order by on_day, model, seller, source, length(label), label collate "C", row_number
    ), chosen as (
      select distinct on (on_day, model, seller) * from of_source
      order by on_day, model, seller,
        (source = (${tx.json(ownSourceOf)}::jsonb ->> seller)) desc nulls last, day desc,
        coalesce(array_position(${[...sourceOrder]}::text[], source), 1000), source
    ), described as (
      insert into token_model_day (day, model, developer, model_name, model_type, model_status)
      select distinct on_day, model, split_part(model, '/', 1), substr(model, strpos(model, '/') + 1), 'closed-source', 'active'
      from chosen on conflict do nothing
    )
    insert into token_book (day, model, source_id, source_type, price_input, price_output, price_cached_input,
      source, observed_on, run_id)
    select on_day, model, seller, seller_type, price_input, price_output, price_cached_input, source, day, run_id
    from chosen`;
}
