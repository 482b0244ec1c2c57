import type { Transaction } from '../../platform/db/client.ts';
import type { DayRange } from './affected-days.ts';
import { daysBetween, usageOf } from './split-usage.ts';

export async function deletePulse(tx: Transaction, { first, last }: DayRange): Promise<void> {
  await tx`delete from token_pulse where day between ${first} and ${last}`;
}

/**
 * Derives the pulse of these days: 100 x tokens of the model / (tokens of the market in the base week / 7), and mean and median
 * of the prices in the book that count, one for each lab and platform. Without a base week there are no volumes.
 */
export async function insertPulse(tx: Transaction, range: DayRange, baseWeek: DayRange | null): Promise<void> {
  const nothing = tx`(select null::numeric as tokens_input, null::numeric as tokens_output)`;
  const base = baseWeek === null ? nothing : usageOf(tx, daysBetween(tx, baseWeek));
  await tx`
    with market as (
      select nullif(sum(tokens_input), 0) as input, nullif(sum(tokens_output), 0) as output from ${base} as b
    ), volume as (
      select day, model, sum(tokens_input) as input, sum(tokens_output) as output,
        count(tokens_input) as counts, bool_or(is_estimated and tokens_input is not null) as is_estimated
      from ${usageOf(tx, daysBetween(tx, range))} as u where model is not null group by day, model
    ), price as (
      select day, model, count(*) as sellers, sum(price_input) / count(*) as avg_input, sum(price_output) / count(*) as avg_output,
        array_agg(price_input order by price_input) as inputs, array_agg(price_output order by price_output) as outputs
      from token_book where source_type <> 'marketplace' and screened_by is null and day between ${range.first} and ${range.last}
      group by day, model
    ), found as (
      select day, model, 700 * v.input / m.input as input_index, 700 * v.output / m.output as output_index,
        p.avg_input, p.avg_output,
        (p.inputs[(p.sellers + 1) / 2] + p.inputs[p.sellers / 2 + 1]) / 2 as med_input,
        (p.outputs[(p.sellers + 1) / 2] + p.outputs[p.sellers / 2 + 1]) / 2 as med_output,
        coalesce(p.sellers, 0) as sellers, coalesce(v.counts, 0) as counts, coalesce(v.is_estimated, false) as is_estimated
      from volume v full join price p using (day, model) cross join market m
    ), described as (
      insert into token_model_day (day, model, developer, model_name, model_type, model_status)
      select day, model, split_part(model, '/', 1), substr(model, strpos(model, '/') + 1), null, 'active'
      from found on conflict do nothing
    )
    insert into token_pulse (day, model, volume_input_index, volume_output_index, avg_price_input, avg_price_output,
      med_price_input, med_price_output, sellers, volume_counts, is_estimated)
    select day, model, input_index, output_index, avg_input, avg_output, med_input, med_output, sellers, counts, is_estimated
    from found`;
}
