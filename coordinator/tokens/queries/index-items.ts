import type { Fragment } from 'postgres';
import type { Queryable } from '../../platform/db/client.ts';
import { PLAUSIBLE } from '../screens.ts';
import { CATALOGUE_SOURCE } from '../source-order.ts';
import { daysListed, usageOf } from './split-usage.ts';

/** The least share of the tokens not free that must have a price. */
export const LEAST_COVERAGE = 0.85;

/**
 * Items (permaslug, variant) of usage with their own price: from the catalogue read on the day, else on the next; 0 for `free`,
 * also combined with another offer (`thinking+free`). No other variant's price is used instead. Unpriced: both prices null; a
 * price that no model has ever had is none.
 */
const itemsOf = (sql: Queryable, days: readonly string[]): Fragment => sql`(
  with catalogue as (
    select distinct on (day, permaslug, variant) day, permaslug, variant, price_input, price_output
    from token_price_observation
    where source = ${CATALOGUE_SOURCE} and permaslug is not null and price_input <= ${PLAUSIBLE.high} and price_output <= ${PLAUSIBLE.high}
      and day in (select w.day + later from (${daysListed(sql, days)}) as w cross join generate_series(0, 1) as later)
    order by day, permaslug, variant, length(label), label collate "C", row_number
  )
  select u.*,
    case when u.is_free then 0 else coalesce(same.price_input, next.price_input) end as price_input,
    case when u.is_free then 0 else coalesce(same.price_output, next.price_output) end as price_output,
    case when not u.is_free then coalesce(same.day, next.day) end as catalogue_day
  from (select *, 'free' = any(string_to_array(variant, '+')) as is_free from ${usageOf(sql, daysListed(sql, days))} as used) u
  left join catalogue same on same.day = u.day and same.permaslug = u.permaslug and same.variant = u.variant
  left join catalogue next on next.day = u.day + 1 and next.permaslug = u.permaslug and next.variant = u.variant
)`;

export interface ExpenditureRow {
  day: string;
  is_open: boolean | null;
  /** items that are paid for, and their tokens; money in millionths of USD */
  models: number;
  tokens: string;
  money: string;
  /** paid tokens whose split is not known */
  unsplit: string;
  priced_tokens: string;
  charged_tokens: string;
}

/** Sums behind the expenditure of days by kind of model: open, closed, or null for unknown. Days without usage have no row. */
export async function selectExpenditure(
  sql: Queryable,
  { days, openModels }: { days: readonly string[]; openModels: readonly string[] },
): Promise<ExpenditureRow[]> {
  return sql<ExpenditureRow[]>`
    with item as (
      select *, not is_free and tokens > 0 and price_input + price_output > 0 as is_paid from ${itemsOf(sql, days)} as i
    )
    select day::text, case when model is not null then model = any(${[...openModels]}::text[]) end as is_open,
      count(*) filter (where is_paid)::int4 as models,
      coalesce(sum(tokens) filter (where is_paid), 0)::text as tokens,
      coalesce(sum(tokens_input * price_input + tokens_output * price_output) filter (where is_paid), 0)::text as money,
      coalesce(sum(tokens) filter (where is_paid and tokens_input is null), 0)::text as unsplit,
      coalesce(sum(tokens) filter (where not is_free and price_input is not null), 0)::text as priced_tokens,
      coalesce(sum(tokens) filter (where not is_free), 0)::text as charged_tokens
    from item group by 1, 2 order by 1, 2`;
}

export interface ItemRow {
  day: string;
  permaslug: string;
  variant: string;
  model: string | null;
  tokens: string;
  tokens_input: string | null;
  tokens_output: string | null;
  is_estimated: boolean;
  is_free: boolean;
  /** USD per million tokens; null: unpriced */
  price_input: string | null;
  price_output: string | null;
  catalogue_day: string | null;
  is_open: boolean | null;
}

/** All items of days, in a fixed order. */
export async function selectItems(
  sql: Queryable,
  { days, openModels }: { days: readonly string[]; openModels: readonly string[] },
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select day::text, permaslug, variant, model, tokens::text, tokens_input::text, tokens_output::text, is_estimated,
      is_free, price_input::text, price_output::text, catalogue_day::text,
      case when model is not null then model = any(${[...openModels]}::text[]) end as is_open
    from ${itemsOf(sql, days)} as i order by day, permaslug collate "C", variant collate "C"`;
}

/** Items that are paid for, as the price index uses them. */
export async function selectPaidItems(sql: Queryable, days: readonly string[]): Promise<PaidItem[]> {
  return sql<PaidItem[]>`
    select day::text, permaslug || ':' || variant as item, tokens_input::float8, tokens_output::float8,
      price_input::float8, price_output::float8
    from ${itemsOf(sql, days)} as i
    where not is_free and tokens > 0 and price_input + price_output > 0 and tokens_input is not null
    order by day, permaslug collate "C", variant collate "C"`;
}

export interface PaidItem {
  day: string;
  item: string;
  tokens_input: number;
  tokens_output: number;
  price_input: number;
  price_output: number;
}
