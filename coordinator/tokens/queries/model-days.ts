import type { Queryable, Transaction } from '../../platform/db/client.ts';
import type { ModelType } from '../identity/model-type.ts';
import { OPERATOR_SOURCE, sourceOrder } from '../source-order.ts';
import type { DayRange } from './affected-days.ts';
import { maybeOne } from '../../platform/db/rows.ts';

/** Deletes models from days on which they have neither a price nor a volume any more. */
export async function deleteIdleModelDays(tx: Transaction, { first, last }: DayRange): Promise<void> {
  await tx`
    delete from token_model_day d where day between ${first} and ${last}
      and not exists (select from token_book b where b.day = d.day and b.model = d.model)
      and not exists (select from token_pulse p where p.day = d.day and p.model = d.model)`;
}

/** What all readings together say about a model, whatever their day. */
export interface ModelWords {
  model: string;
  /** the operator's newest statement */
  operator_type: ModelType | null;
  /** any stored reading has a Hugging Face id or says that the weights are available */
  is_open: boolean;
  /** a stored reading says that they are not */
  is_said_closed: boolean;
}

/** What all readings say about each model. */
export async function selectModelWords(sql: Queryable): Promise<ModelWords[]> {
  return sql<ModelWords[]>`
    select model,
      (array_agg(model_type order by day desc, length(label), label collate "C") filter (where model_type is not null and source = ${OPERATOR_SOURCE}))[1]
        as operator_type,
      bool_or(hugging_face_id is not null or coalesce(open_weights, false)) as is_open,
      coalesce(bool_or(not open_weights), false) as is_said_closed
    from token_model_observation group by model`;
}

/** Every model that has a price or a volume on any day. */
export async function selectDescribedModels(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ model: string }[]>`select distinct model from token_model_day`;
  return rows.map(({ model }) => model);
}

/**
 * Writes what was known of each model on each day: by the newest reading up to that day that states it, else by the earliest
 * after; the operator's readings override all others; of several labels of a model the shortest's is used. A reading after a day
 * does not make the model deprecated on it, but the date that it names does. Covers all days, since a reading changes those after
 * it, and the first one also those before; only differences are written.
 */
export async function describeModelDays(
  tx: Transaction,
  types: readonly { model: string; type: ModelType | null }[],
): Promise<void> {
  await tx`
    with word as (
      select o.model, o.day, o.source = ${OPERATOR_SOURCE} as is_operator, o.label,
        coalesce(array_position(${[...sourceOrder]}::text[], o.source), 1000) as rank, f.field, f.value
      from token_model_observation o cross join lateral (values
        ('context_length', o.context_length::text), ('total_param', o.total_param::text), ('active_param', o.active_param::text),
        ('status', o.is_deprecated::text || ' ' || coalesce(o.expires_on, 'infinity')::text)) as f (field, value)
      where f.value is not null
    ), heeded as (
      select * from (select *, bool_or(is_operator) over (partition by model, field) as has_operator from word) w
      where is_operator or not has_operator
    ), step as (
      select model, field, day, value, lag(value) over w as before, row_number() over w as at
      from heeded window w as (partition by model, field order by day, rank desc, length(label) desc, label collate "C" desc)
    ), span as (
      select model, field, value, day as said_on, case when at = 1 then '-infinity' else day end as begins,
        coalesce(lead(day) over (partition by model, field order by at), 'infinity') as ends
      from step where at = 1 or before <> value
    ), known as (
      select d.day, d.model, t.type as model_type,
        case when (split_part(s.value, ' ', 1) = 'true' and s.said_on <= d.day)
          or split_part(s.value, ' ', 2)::date <= d.day then 'deprecated' else 'active' end as model_status,
        total.value::numeric as total_param, active.value::numeric as active_param, context.value::int8 as context_length
      from token_model_day d
      left join unnest(${types.map(({ model }) => model)}::text[], ${types.map(({ type }) => type)}::text[]) as t (model, type)
        on t.model = d.model
      left join span s on s.model = d.model and s.field = 'status' and s.begins <= d.day and d.day < s.ends
      left join span total on total.model = d.model and total.field = 'total_param'
        and total.begins <= d.day and d.day < total.ends
      left join span active on active.model = d.model and active.field = 'active_param'
        and active.begins <= d.day and d.day < active.ends
      left join span context on context.model = d.model and context.field = 'context_length'
        and context.begins <= d.day and d.day < context.ends
    )
    update token_model_day d set model_type = k.model_type, model_status = k.model_status, total_param = k.total_param,
      active_param = k.active_param, context_length = k.context_length
    from known k where k.day = d.day and k.model = d.model
      and (d.model_type, d.model_status, d.total_param, d.active_param, d.context_length)
        is distinct from (k.model_type, k.model_status, k.total_param, k.active_param, k.context_length)`;
}

interface KnownModel {
  model: string;
  model_type: ModelType | null;
  total_param: number | null;
  active_param: number | null;
}

/**
 * The newest description of a model up to `today`, by its full name, else by the name alone; of several models the first by name.
 */
export async function findModel(sql: Queryable, wanted: string, today: string): Promise<KnownModel | undefined> {
  const rows = await sql<KnownModel[]>`
    select model, model_type, total_param::float8, active_param::float8 from token_model_day
    where day <= ${today} and (lower(model) = ${wanted} or lower(model_name) = ${wanted})
    order by (lower(model) = ${wanted}) desc, model, day desc limit 1`;
  return maybeOne(rows);
}

interface CheapestPrice {
  day: string;
  source_id: string;
  price_output: number;
}

/** The lowest output price above 0 on the newest day that has one, from `earliest` on. */
export async function findCheapest(
  sql: Queryable,
  model: string,
  { earliest, today }: { earliest: string; today: string },
): Promise<CheapestPrice | undefined> {
  const rows = await sql<CheapestPrice[]>`
    select day::text, source_id, price_output::float8 from token_book
    where model = ${model} and day between ${earliest} and ${today} and price_output > 0 and screened_by is null
    order by day desc, token_book.price_output, source_id limit 1`;
  return maybeOne(rows);
}
