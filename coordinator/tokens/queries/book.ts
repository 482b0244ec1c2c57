import type { Transaction } from '../../platform/db/client.ts';
import { copyingSources, ownSourceOf, sourceOrder } from '../source-order.ts';
import { HISTORY_DAYS, type TokenScreen } from '../screens.ts';
import type { SellerType } from '../sellers.ts';
import type { DayRange } from './affected-days.ts';

export async function deleteBook(tx: Transaction, { first, last }: DayRange): Promise<void> {
  await tx`delete from token_book where day between ${first} and ${last}`;
}

/**
 * Derives the book of these days. For each part of a source one reading applies to a day: the newest one up to it, if it is less
 * than seven days old, else the next one after it, with its dated prices only. Of several labels of a model the shortest is used:
 * the one without a date. Of several sources the seller's own is used, then the one read last, then by their order; a lab's price
 * of one of `copiable` models that its source copied from the marketplace only if no other source has one.
 */
export async function insertBook(
  tx: Transaction,
  { first, last }: DayRange,
  copiable: readonly string[],
): Promise<void> {
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
    ), marked as (
      select s.*, s.source = any(${[...copyingSources]}::text[]) and s.seller_type = 'model-lab' and m.seller is not null
        and s.model = any(${[...copiable]}::text[]) as is_copied
      from of_source s left join of_source m on m.on_day = s.on_day and m.model = s.model and m.source = s.source
        and m.seller = 'openrouter' and (m.price_input, m.price_output) = (s.price_input, s.price_output)
    ), chosen as (
      select distinct on (on_day, model, seller) * from marked
      order by on_day, model, seller, is_copied,
        (source = (${tx.json(ownSourceOf)}::jsonb ->> seller)) desc nulls last, day desc,
        coalesce(array_position(${[...sourceOrder]}::text[], source), 1000), source
    ), described as (
      insert into token_model_day (day, model, developer, model_name, model_type, model_status)
      select distinct on_day, model, split_part(model, '/', 1), substr(model, strpos(model, '/') + 1), null, 'active'
      from chosen on conflict do nothing
    )
    insert into token_book (day, model, source_id, source_type, price_input, price_output, price_cached_input,
      source, observed_on, run_id, is_copied)
    select on_day, model, seller, seller_type, price_input, price_output, price_cached_input, source, day, run_id, is_copied
    from chosen`;
}

/** Models of labs in the lists of sources that fill these with the marketplace's prices. */
export async function selectCopiableModels(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ model: string }[]>`
    select distinct model from token_price_observation
    where source = any(${[...copyingSources]}::text[]) and seller_type = 'model-lab'`;
  return rows.map(({ model }) => model);
}

export interface JudgedPrice {
  day: string;
  model: string;
  source_id: string;
  source_type: SellerType;
  price_input: number;
  price_output: number;
  source: string;
  is_copied: boolean;
  screened_by: TokenScreen | null;
}

/** Prices of these days, by day and model, in the order in which they are judged. */
export const selectPricesToJudge = (tx: Transaction, { first, last }: DayRange): Promise<JudgedPrice[]> =>
  tx<JudgedPrice[]>`
    select day::text, model, source_id, source_type, price_input::float8, price_output::float8, source, is_copied,
      screened_by
    from token_book where day between ${first} and ${last} order by day, model collate "C", source_id collate "C"`;

export interface PriceBefore {
  model: string;
  source_id: string;
  price_input: number;
  price_output: number;
  days: string[];
}

/** What sellers asked on these days and on those before them that a price is compared with; copied prices are nobody's. */
export const selectPricesBefore = (tx: Transaction, { first, last }: DayRange): Promise<PriceBefore[]> =>
  tx<PriceBefore[]>`
    select model, source_id, price_input::float8, price_output::float8, array_agg(day::text order by day) as days
    from token_book where day between ${first}::date - ${HISTORY_DAYS}::int4 and ${last}::date - 1
      and not is_copied and source_type <> 'marketplace'
    group by 1, 2, 3, 4`;

/** Writes what became of prices. */
export async function updateScreens(
  tx: Transaction,
  changes: readonly Pick<JudgedPrice, 'day' | 'model' | 'source_id' | 'screened_by'>[],
): Promise<void> {
  await tx`
    update token_book b set screened_by = c.screened_by
    from unnest(${changes.map(({ day }) => day)}::text[]::date[], ${changes.map(({ model }) => model)}::text[],
      ${changes.map(({ source_id }) => source_id)}::text[], ${changes.map(({ screened_by }) => screened_by)}::text[])
      as c (day, model, source_id, screened_by)
    where b.day = c.day and b.model = c.model and b.source_id = c.source_id`;
}
