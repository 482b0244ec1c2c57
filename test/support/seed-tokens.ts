import type { Sql } from '../../coordinator/platform/db/client.ts';

export const MODELS = 500;
const SELLERS = 4;

/** Days up to `last` of so many models at four sellers each, prices of all sizes, the pulse with the digits of a division. */
export async function seedTokens(
  sql: Sql,
  { last, days, models = MODELS }: { last: string; days: number; models?: number },
): Promise<void> {
  await sql`
    insert into token_model_day (day, model, developer, model_name, model_type, model_status, total_param, active_param,
      context_length)
    select ${last}::date - d, 'developer-' || m % 40 || '/model-' || m || '-instruct', 'developer-' || m % 40,
      'model-' || m || '-instruct', (array['open-source', 'open-weight', 'closed-source'])[1 + m % 3],
      case when m % 20 = 0 then 'deprecated' else 'active' end, case when m % 3 < 2 then m * 1.5 end,
      case when m % 3 < 2 then m / 3.0 end, 131072
    from generate_series(0, ${days - 1}::int) d, generate_series(1, ${models}::int) m`;
  await sql`
    insert into token_book (day, model, source_id, source_type, price_input, price_output, price_cached_input, source,
      observed_on, run_id)
    select day, model, 'seller-' || s, case s when 1 then 'model-lab' when 4 then 'marketplace' else 'model-platform' end,
      round(p.usd, 6), round(4 * p.usd, 6), case when s < 3 then round(p.usd / 10, 6) end, 'bench', day, 1
    from token_model_day, generate_series(1, ${SELLERS}::int) s,
      lateral (select abs(hashtext(model || s || day)) / 100000000.0 + 0.01 as usd) p`;
  await sql`
    insert into token_pulse (day, model, volume_input_index, volume_output_index, avg_price_input, avg_price_output,
      med_price_input, med_price_output, sellers, volume_counts, is_estimated)
    select day, model, 100.0 * abs(hashtext(model || day)) / 7777777777, 100.0 * abs(hashtext(day || model)) / 7777777777,
      avg(price_input), avg(price_output), percentile_disc(0.5) within group (order by price_input),
      percentile_disc(0.5) within group (order by price_output), 4, 2, false
    from token_book group by day, model`;
  await sql`
    insert into token_index_day (token, version, day, value, coverage, models, tokens, status, computed_at)
    select 'expenditure', 'v1', ${last}::date - d, round(0.7 + d / 1000.0, 4), 0.99, 400, 1e13, 'frozen', now()
    from generate_series(0, ${days - 1}::int) d`;
  await sql`update data_version set version = version + 1 where area = 'tokens'`;
  await sql`vacuum analyze`;
}
