import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genaiPrices } from '../../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../../coordinator/ingest/tokens/llm-prices.ts';
import { readTokens } from './read-tokens.ts';
import { priced } from './trap-files.ts';

describe('prices', () => {
  test('of a seller that the table does not have are not kept, and its name is listed', async () => {
    const read = await readTokens(genaiPrices, [
      { id: 'nobody-inc', models: [{ id: 'openai/gpt-oss-20b', prices: { input_mtok: 1, output_mtok: 1 } }] },
    ]);
    assert.deepEqual([read.prices.length, read.rowsKept], [0, 0]);
    assert.deepEqual(
      read.tally.unmatched.map(({ kind, label }) => `${kind} ${label}`),
      ['provider nobody-inc'],
    );
  });

  test('with a beginning hold from it until the next begins', async () => {
    const read = await readTokens(genaiPrices, [
      {
        id: 'openai',
        models: [
          {
            id: 'o3',
            prices: [
              { prices: { input_mtok: 10, cache_read_mtok: 0.5, output_mtok: 40 } },
              {
                constraint: { start_date: '2025-06-10' },
                prices: { input_mtok: 2, cache_read_mtok: 0.5, output_mtok: 8 },
              },
              { constraint: { start_date: '2026-01-01' }, prices: { input_mtok: 1, output_mtok: 4 } },
            ],
          },
        ],
      },
    ]);
    assert.deepEqual(
      read.prices.map(({ valid_from, valid_to, price_input }) => [valid_from, valid_to, price_input]),
      [
        [null, '2025-06-10', '10'],
        ['2025-06-10', '2026-01-01', '2'],
        ['2026-01-01', null, '1'],
      ],
    );
    const simon = await readTokens(llmPrices, {
      vendor: 'deepseek',
      models: [
        {
          id: 'deepseek-chat',
          name: 'DeepSeek chat',
          price_history: [
            { input: 0.27, output: 1.1, from_date: null, to_date: '2025-09-05' },
            { input: 0.56, output: 1.68, from_date: '2025-09-05', to_date: null },
          ],
        },
      ],
    });
    assert.deepEqual(
      simon.prices.map(({ valid_from, valid_to, price_output }) => [valid_from, valid_to, price_output]),
      [
        [null, '2025-09-05', '1.1'],
        ['2025-09-05', null, '1.68'],
      ],
    );
  });

  test('by the hour are refused, and the one without hours is taken', async () => {
    const read = await readTokens(genaiPrices, [
      {
        id: 'deepseek',
        models: [
          {
            id: 'deepseek-chat',
            prices: [
              { prices: { input_mtok: 0.135, output_mtok: 0.55 } },
              {
                constraint: { start_time: '00:30:00Z', end_time: '16:30:00Z' },
                prices: { input_mtok: 0.27, output_mtok: 1.1 },
              },
            ],
          },
        ],
      },
    ]);
    assert.deepEqual(read.refused, { 'time-of-day': 1 });
    assert.deepEqual(
      read.prices.map(({ price_input, valid_from, valid_to }) => [price_input, valid_from, valid_to]),
      [['0.135', null, null]],
    );
  });

  test('of cached input stand beside those of input', async () => {
    const read = await readTokens(litellm, {
      'deepseek-chat': {
        litellm_provider: 'deepseek',
        mode: 'chat',
        input_cost_per_token: 2.7e-7,
        input_cost_per_token_cache_hit: 7e-8,
        output_cost_per_token: 1.1e-6,
      },
    });
    assert.deepEqual(priced(read), { 'deepseek/deepseek-chat|standard at deepseek': ['0.27', '1.1', '0.07'] });
  });
});
