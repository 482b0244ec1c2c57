import assert from 'node:assert/strict';
import type { Sql } from '../../../../coordinator/platform/db/client.ts';
import type { MarketCommands } from '../../market/market-commands.ts';

export const entry = (id: string, slug: string, prompt: string, completion: string) => ({
  id,
  canonical_slug: slug,
  name: id,
  context_length: 128_000,
  hugging_face_id: null,
  expiration_date: null,
  pricing: { prompt, completion },
});
export const catalogue = (prompt = '0.00000125'): string =>
  JSON.stringify({
    data: [
      entry('openai/gpt-5', 'openai/gpt-5-2025-08-07', prompt, '0.00001'),
      entry('openai/gpt-5:batch', 'openai/gpt-5-2025-08-07', '0.000000625', '0.000005'),
      entry('openrouter/auto', 'openrouter/auto', '-1', '-1'),
    ],
  });
export const page = (date: string, prompt = 90, slug = 'openai/gpt-5-2025-08-07'): string =>
  JSON.stringify({
    data: [
      {
        date: `${date} 00:00:00`,
        model_permaslug: slug,
        variant: 'standard',
        total_prompt_tokens: prompt,
        total_completion_tokens: 10,
      },
    ],
  });
export const dataset = (...days: string[]): string =>
  JSON.stringify({
    data: days.flatMap((date) => [
      { date, model_permaslug: 'openai/gpt-5-2025-08-07', total_tokens: '200' },
      { date, model_permaslug: 'other', total_tokens: '55' },
    ]),
  });

const tables = [
  'token_price_observation',
  'token_model_observation',
  'token_usage_observation',
  'ingest_run',
  'unmatched_label',
  'data_version',
];

/** Every row of the tables that an ingestion writes, in an order of their own. */
export async function stateOf(sql: Sql): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`);
    state[table] = rows.map(({ row }) => row);
  }
  return state;
}

/** What is known of prices, in the order of the day. */
export const pricesIn = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', day, model, variant, seller, price_input, price_output) as line
    from token_price_observation order by day, row_number`;
  return rows.map(({ line }) => line);
};
export const usageIn = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', day, permaslug, variant, model, tokens_total, tokens_input, tokens_output) as line
    from token_usage_observation order by day, permaslug, variant`;
  return rows.map(({ line }) => line);
};

export async function ingested(
  market: MarketCommands,
  source: string,
  place: string,
  ...rest: string[]
): Promise<string> {
  const { code, stdout, stderr } = await market.command('ingest', source, place, ...rest);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.replace(place, '').trimEnd();
}
