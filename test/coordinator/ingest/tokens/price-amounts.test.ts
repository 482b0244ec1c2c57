import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genaiPrices } from '../../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../../coordinator/ingest/tokens/llm-prices.ts';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { readTokens } from './read-tokens.ts';
import { catalogue, entry, priced } from './trap-files.ts';

describe('prices', () => {
  test('are texts for a token at OpenRouter, and exact for a million', async () => {
    const read = await readTokens(
      openrouterModels,
      catalogue(
        entry('deepseek/deepseek-v3.2', 'deepseek/deepseek-v3.2-20251201', {
          prompt: '0.000000269',
          completion: '0.0000004',
          input_cache_read: '0.0000001345',
        }),
      ),
    );
    assert.deepEqual(priced(read), { 'deepseek/deepseek-v3.2|standard at openrouter': ['0.269', '0.4', '0.1345'] });
    assert.equal(read.prices[0]?.permaslug, 'deepseek/deepseek-v3.2-20251201');
  });

  test('are numbers for a token at LiteLLM: 3e-07 is 0.3 and stands in raw as it was written', async () => {
    const text =
      '{"gpt-4o": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 3e-07, "output_cost_per_token": 1.10e-05}}';
    const read = await readTokens(litellm, text);
    assert.deepEqual(priced(read), { 'openai/gpt-4o|standard at openai': ['0.3', '11', null] });
    assert.deepEqual(read.prices[0]?.raw, { input_cost_per_token: '3e-07', output_cost_per_token: '1.10e-05' });
  });

  test('keep more digits than a binary float has', async () => {
    const text =
      '[{"id": "openai", "models": [{"id": "gpt-4o", "prices": {"input_mtok": 2.50000000000000000001, "output_mtok": 10.0}}]}]';
    assert.deepEqual(priced(await readTokens(genaiPrices, text)), {
      'openai/gpt-4o|standard at openai': ['2.50000000000000000001', '10', null],
    });
  });

  test('are for a million at the others: a price for a token there would be a million times too low, and is told by nothing', async () => {
    const read = await readTokens(llmPrices, {
      vendor: 'openai',
      models: [
        {
          id: 'gpt-4o',
          name: 'GPT-4o',
          price_history: [{ input: 2.5, output: 10, input_cached: 1.25, from_date: null, to_date: null }],
        },
      ],
    });
    assert.deepEqual(priced(read), { 'openai/gpt-4o|standard at openai': ['2.5', '10', '1.25'] });
  });

  test('for a million that came for a token are refused: 2.5 USD a token is not a price', async () => {
    const read = await readTokens(litellm, {
      'gpt-4o': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 2.5, output_cost_per_token: 10 },
      'gpt-4': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 3e-5, output_cost_per_token: 6e-5 },
    });
    assert.deepEqual(read.refused, { 'bad-price': 1 });
    assert.deepEqual(Object.keys(priced(read)), ['openai/gpt-4|standard at openai']);
  });

  test('that are not numbers are refused', async () => {
    const bad = ['', 'free', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '-0.000001', '١'];
    const read = await readTokens(
      openrouterModels,
      catalogue(
        ...bad.map((said, at) =>
          entry(`openai/gpt-${at}`, `openai/gpt-${at}`, { prompt: said, completion: '0.000001' }),
        ),
      ),
    );
    // An empty text says nothing, and one that is below 0 is the price of a router; the output alone is kept of the first.
    assert.deepEqual(read.refused, { 'bad-price': 7, 'no-fixed-price': 1 });
    assert.equal(read.prices.length, 1);
  });

  test('of -1 and of routers are none: they ask what the model behind them does', async () => {
    const read = await readTokens(
      openrouterModels,
      catalogue(
        entry('openrouter/auto', 'openrouter/auto', { prompt: '-1', completion: '-1' }),
        {
          ...entry('openrouter/free', 'openrouter/free', { prompt: '0', completion: '0' }),
          architecture: { tokenizer: 'Router' },
        },
        entry('~openai/gpt-latest', '~openai/gpt-latest', { prompt: '0.000001', completion: '0.000002' }),
        entry('openai/gpt-5', 'openai/gpt-5-2025-08-07', { prompt: '0.00000125', completion: '0.00001' }),
      ),
    );
    assert.deepEqual(read.refused, { 'no-fixed-price': 3 });
    assert.deepEqual(priced(read), { 'openai/gpt-5|standard at openrouter': ['1.25', '10', null] });
  });

  test('of a free and of a batch offer stand beside the paid one and never for it', async () => {
    const slug = 'z-ai/glm-5.2-20260616';
    const read = await readTokens(
      openrouterModels,
      catalogue(
        entry('z-ai/glm-5.2', slug, { prompt: '0.000001', completion: '0.000003' }),
        entry('z-ai/glm-5.2:batch', slug, { prompt: '0.0000005', completion: '0.0000015' }),
        entry('z-ai/glm-5.2:free', slug, { prompt: '0', completion: '0' }),
      ),
    );
    assert.deepEqual(priced(read), {
      'z-ai/glm-5.2|standard at openrouter': ['1', '3', null],
      'z-ai/glm-5.2|batch at openrouter': ['0.5', '1.5', null],
      'z-ai/glm-5.2|free at openrouter': ['0', '0', null],
    });
  });

  test('of a list from before models had a permanent slug are by the id, its offer apart', async () => {
    const older = (id: string, prompt: string) => ({
      id,
      name: id,
      context_length: 32_768,
      pricing: { prompt, completion: prompt },
    });
    const data = [older('qwen/qwen-2.5-72b-instruct', '0.00000035'), older('qwen/qwen-2-7b-instruct:free', '0')];
    assert.deepEqual(priced(await readTokens(openrouterModels, { data })), {
      'qwen/qwen2.5-72b-instruct|standard at openrouter': ['0.35', '0.35', null],
      'qwen/qwen2-7b-instruct|free at openrouter': ['0', '0', null],
    });
  });

  test('of 0 are a free offer at those who have no word for it, and a price of 0 at OpenRouter, which has', async () => {
    const genai = await readTokens(genaiPrices, [
      { id: 'google', models: [{ id: 'gemini-2.0-flash', prices: { input_mtok: 0, output_mtok: 0 } }] },
    ]);
    assert.deepEqual(Object.keys(priced(genai)), ['google/gemini-2.0-flash|free at google']);
    const cloaked = await readTokens(
      openrouterModels,
      catalogue(
        entry('stealth/ox-alpha', 'stealth/ox-alpha', { prompt: '0', completion: '0' }),
        entry('openrouter/owl-alpha', 'openrouter/owl-alpha', { prompt: '0', completion: '0' }),
      ),
    );
    assert.deepEqual(priced(cloaked), {
      'stealth/ox-alpha|standard at openrouter': ['0', '0', null],
      'stealth/owl-alpha|standard at openrouter': ['0', '0', null],
    });
  });
});
