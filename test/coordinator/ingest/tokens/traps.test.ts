import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genaiPrices } from '../../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../../coordinator/ingest/tokens/llm-prices.ts';
import { modelsDev } from '../../../../coordinator/ingest/tokens/models-dev.ts';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { openrouterRankings } from '../../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import { tokenModels } from '../../../../coordinator/ingest/tokens/token-models.ts';
import { tokenPrices } from '../../../../coordinator/ingest/tokens/token-prices.ts';
import { readTokens, type ReadTokens } from './read-tokens.ts';

/** model|variant at a seller: input, output, cached input */
const priced = ({ prices }: ReadTokens): Record<string, (string | null)[]> =>
  Object.fromEntries(
    prices.map(({ model, variant, seller, input, output, cachedInput }) => [
      `${model}|${variant} at ${seller}`,
      [input, output, cachedInput],
    ]),
  );

const entry = (id: string, slug: string, pricing: Record<string, unknown>, more: object = {}) => ({
  id,
  canonical_slug: slug,
  name: 'Somebody: A Model',
  description: 'A model.',
  context_length: 1000,
  hugging_face_id: null,
  expiration_date: null,
  pricing,
  ...more,
});
const catalogue = (...data: object[]) => ({ data });

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

  test('for a million that came for a token are refused: 2.5 USD a token is no price', async () => {
    const read = await readTokens(litellm, {
      'gpt-4o': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 2.5, output_cost_per_token: 10 },
      'gpt-4': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 3e-5, output_cost_per_token: 6e-5 },
    });
    assert.deepEqual(read.refused, { 'bad-price': 1 });
    assert.deepEqual(Object.keys(priced(read)), ['openai/gpt-4|standard at openai']);
  });

  test('that are no numbers are refused', async () => {
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
        entry('openrouter/free', 'openrouter/free', { prompt: '0', completion: '0' }),
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

  test('of 0 are a free offer at those who have no word for it, and a price of 0 at OpenRouter, which has', async () => {
    const genai = await readTokens(genaiPrices, [
      { id: 'google', models: [{ id: 'gemini-2.0-flash', prices: { input_mtok: 0, output_mtok: 0 } }] },
    ]);
    assert.deepEqual(Object.keys(priced(genai)), ['google/gemini-2.0-flash|free at google']);
    const cloaked = await readTokens(
      openrouterModels,
      catalogue(entry('stealth/ox-alpha', 'stealth/ox-alpha', { prompt: '0', completion: '0' })),
    );
    assert.deepEqual(Object.keys(priced(cloaked)), ['stealth/ox-alpha|standard at openrouter']);
  });

  test('of tiers above 200K are not taken: the base price is that of the shortest prompt', async () => {
    const genai = await readTokens(genaiPrices, [
      {
        id: 'anthropic',
        models: [
          {
            id: 'claude-sonnet-4-5',
            prices: {
              input_mtok: { base: 3, tiers: [{ start: 200000, price: 6 }] },
              output_mtok: { base: 15, tiers: [{ start: 200000, price: 22.5 }] },
              cache_read_mtok: { base: 0.3, tiers: [{ start: 200000, price: 0.6 }] },
            },
          },
        ],
      },
    ]);
    assert.deepEqual(priced(genai), { 'anthropic/claude-sonnet-4.5|standard at anthropic': ['3', '15', '0.3'] });
    const lite = await readTokens(litellm, {
      'gpt-5.4': {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 2.5e-6,
        input_cost_per_token_above_272k_tokens: 5e-6,
        output_cost_per_token: 1.5e-5,
        output_cost_per_token_above_272k_tokens: 2.25e-5,
      },
    });
    assert.deepEqual(priced(lite), { 'openai/gpt-5.4|standard at openai': ['2.5', '15', null] });
    const open = await readTokens(
      openrouterModels,
      catalogue(
        entry('qwen/qwen3.7-flash', 'qwen/qwen3.7-flash-20260727', {
          prompt: '0.00000003',
          completion: '0.00000013',
          overrides: [{ min_prompt_tokens: 32000, prompt: '0.0000001', completion: '0.0000004' }],
        }),
      ),
    );
    assert.deepEqual(priced(open), { 'qwen/qwen3.7-flash|standard at openrouter': ['0.03', '0.13', null] });
    const simon = await readTokens(llmPrices, {
      vendor: 'google',
      models: [
        { id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro ≤200k', price_history: [{ input: 1.25, output: 10 }] },
        { id: 'gemini-2.5-pro-200k', name: 'Gemini 2.5 Pro >200k', price_history: [{ input: 2.5, output: 15 }] },
      ],
    });
    assert.deepEqual(simon.refused, { 'upper-tier': 1 });
    assert.deepEqual(priced(simon), { 'google/gemini-2.5-pro|standard at google': ['1.25', '10', null] });
  });

  test('of batches, audio, images and searches in the same record are not taken for the base price', async () => {
    const lite = await readTokens(litellm, {
      'gpt-4o-audio-preview': {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token_batches: 1.25e-6,
        input_cost_per_audio_token: 1e-4,
        input_cost_per_token: 2.5e-6,
        output_cost_per_token: 1e-5,
        output_cost_per_token_batches: 5e-6,
        output_cost_per_audio_token: 2e-4,
        search_context_cost_per_query: { search_context_size_low: 0.01 },
        output_cost_per_token_priority: 1.7e-5,
      },
    });
    assert.deepEqual(priced(lite), { 'openai/gpt-4o-audio-preview|standard at openai': ['2.5', '10', null] });
    const open = await readTokens(
      openrouterModels,
      catalogue(
        entry('google/gemini-2.5-flash', 'google/gemini-2.5-flash', {
          prompt: '0.0000003',
          completion: '0.0000025',
          image: '0.001238',
          audio: '0.000001',
          internal_reasoning: '0.0000025',
          web_search: '0.014',
        }),
      ),
    );
    assert.deepEqual(priced(open), { 'google/gemini-2.5-flash|standard at openrouter': ['0.3', '2.5', null] });
  });

  test('of what sells no text, of sizes, of samples and of one’s own machine are refused', async () => {
    const price = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
    const read = await readTokens(litellm, {
      sample_spec: { ...price, mode: 'chat', litellm_provider: 'one of https://docs.litellm.ai' },
      'text-embedding-3-small': { ...price, litellm_provider: 'openai', mode: 'embedding' },
      'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_pixel: 1e-9 },
      'together-ai-7.1b-20b': { ...price, litellm_provider: 'together_ai', mode: 'chat' },
      'ollama/llama3': { litellm_provider: 'ollama', mode: 'chat', input_cost_per_token: 0, output_cost_per_token: 0 },
      'text-bison': { litellm_provider: 'vertex_ai-text-models', mode: 'completion', input_cost_per_character: 2.5e-7 },
      'gpt-4': { ...price, litellm_provider: 'openai', mode: 'chat' },
    });
    assert.deepEqual(read.refused, { sample: 1, 'other-mode': 2, 'by-size': 1, 'own-machine': 1, 'no-price': 1 });
    assert.equal(read.rowsKept, 1);
  });

  test('of the same model under many prefixes are of one model, and of those who ask them', async () => {
    const price = { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
    const read = await readTokens(litellm, {
      'anthropic.claude-3-haiku-20240307-v1:0': { ...price, litellm_provider: 'bedrock' },
      'vertex_ai/claude-3-haiku@20240307': { ...price, litellm_provider: 'vertex_ai-anthropic_models' },
      'openrouter/anthropic/claude-3-haiku': { ...price, litellm_provider: 'openrouter' },
      'vercel_ai_gateway/anthropic/claude-3-haiku': { ...price, litellm_provider: 'vercel_ai_gateway' },
      'claude-3-haiku-20240307': { ...price, litellm_provider: 'anthropic' },
      'eu.anthropic.claude-3-haiku-20240307-v1:0': { ...price, litellm_provider: 'bedrock' },
    });
    assert.deepEqual(
      read.prices.map(({ model, variant, seller, sellerType }) => `${model} ${variant} ${seller} ${sellerType}`),
      [
        'anthropic/claude-3-haiku standard aws model-platform',
        'anthropic/claude-3-haiku standard google model-platform',
        'anthropic/claude-3-haiku standard openrouter marketplace',
        'anthropic/claude-3-haiku standard vercel marketplace',
        'anthropic/claude-3-haiku standard anthropic model-lab',
        'anthropic/claude-3-haiku regional aws model-platform',
      ],
    );
  });

  test('of a seller are one seller in all sources, a lab of its own models and a platform of others', async () => {
    const genai = await readTokens(genaiPrices, [
      {
        id: 'aws',
        models: [
          { id: 'amazon.nova-pro-v1:0', prices: { input_mtok: 0.8, output_mtok: 3.2 } },
          { id: 'global.anthropic.claude-opus-5', prices: { input_mtok: 5, output_mtok: 25 } },
        ],
      },
      { id: 'huggingface_novita', models: [{ id: 'zai-org/GLM-5', prices: { input_mtok: 1, output_mtok: 3.2 } }] },
    ]);
    assert.deepEqual(
      genai.prices.map(({ model, seller, sellerType }) => `${model} ${seller} ${sellerType}`),
      [
        'amazon/nova-pro aws model-lab',
        'anthropic/claude-opus-5 aws model-platform',
        'z-ai/glm-5 huggingface-novita marketplace',
      ],
    );
    const lite = await readTokens(litellm, {
      'bedrock/us-east-1/mistral.mixtral-8x7b-instruct-v0:1': {
        litellm_provider: 'bedrock',
        mode: 'chat',
        input_cost_per_token: 1e-6,
      },
      'azure/gpt-35-turbo-instruct': {
        litellm_provider: 'text-completion-openai',
        mode: 'completion',
        input_cost_per_token: 1e-6,
      },
      'gpt-4': { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
    });
    assert.deepEqual(
      lite.prices.map(({ seller }) => seller),
      ['aws', 'azure', 'openai'],
    );
  });

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
      read.prices.map(({ validFrom, validTo, input }) => [validFrom, validTo, input]),
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
      simon.prices.map(({ validFrom, validTo, output }) => [validFrom, validTo, output]),
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
      read.prices.map(({ input, validFrom, validTo }) => [input, validFrom, validTo]),
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

describe('volumes', () => {
  const row = (
    permaslug: string,
    variant: string,
    prompt: number,
    completion: number,
    date = '2026-08-09 00:00:00',
  ) => ({
    date,
    model_permaslug: permaslug,
    variant,
    total_prompt_tokens: prompt,
    total_completion_tokens: completion,
    total_native_tokens_cached: 0,
  });

  test('of the page that was fetched on day D are of D-1, as its rows say', async () => {
    const read = await readTokens(openrouterRankings, catalogue(row('z-ai/glm-5.2-20260616', 'free', 5, 7)), {
      day: '2026-08-10',
    });
    assert.deepEqual(read.usage, [
      {
        day: '2026-08-09',
        row: 1,
        permaslug: 'z-ai/glm-5.2-20260616',
        variant: 'free',
        model: 'z-ai/glm-5.2',
        total: '12',
        input: '5',
        output: '7',
      },
    ]);
  });

  test('of a page with several days, or of a day that lies ahead, are refused as a whole', async () => {
    const week = catalogue(
      row('openai/o1', 'standard', 1, 1),
      row('openai/o3', 'standard', 1, 1, '2026-08-08 00:00:00'),
    );
    await assert.rejects(readTokens(openrouterRankings, week), /has rows of 2 days, 2026-08-08 to 2026-08-09/);
    const ahead = catalogue(row('openai/o1', 'standard', 1, 1));
    await assert.rejects(
      readTokens(openrouterRankings, ahead, { day: '2026-08-08' }),
      /has rows of 2026-08-09, after the day it was read on \(2026-08-08\)/,
    );
  });

  test('of the official dataset are whole numbers as text, of many days, with the rest as other and without a split', async () => {
    const daily = (date: string, model_permaslug: string, total_tokens: string) => ({
      date,
      model_permaslug,
      total_tokens,
    });
    const read = await readTokens(openrouterRankings, {
      data: [
        daily('2026-05-11', 'openai/gpt-4o-2024-05-13', '9007199254740993'),
        daily('2026-05-11', 'other', '55'),
        daily('2026-05-12', 'openai/gpt-4o-2024-05-13', '12'),
      ],
      meta: { as_of: '2026-05-12T02:00:00Z', version: 'v1' },
    });
    assert.deepEqual(
      read.usage.map(({ day, permaslug, model, total, input, output }) => [
        day,
        permaslug,
        model,
        total,
        input,
        output,
      ]),
      [
        ['2026-05-11', 'openai/gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', '9007199254740993', null, null],
        ['2026-05-11', 'other', null, '55', null, null],
        ['2026-05-12', 'openai/gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', '12', null, null],
      ],
    );
    assert.deepEqual(read.unmatched, []);
  });

  test('of an item twice or of no item are refused; of an unknown one counted, and its label is listed', async () => {
    const read = await readTokens(
      openrouterRankings,
      catalogue(
        row('openai/o1', 'standard', 1, 1),
        row('openai/o1', 'standard', 2, 2),
        row('', 'standard', 0, 0),
        row('no/body', 'standard', 3, 4),
      ),
    );
    assert.deepEqual(read.refused, { repeated: 1, 'no-model': 1 });
    assert.deepEqual(
      read.usage.map(({ permaslug, model, total }) => [permaslug, model, total]),
      [
        ['openai/o1', 'openai/o1', '2'],
        ['no/body', null, '7'],
      ],
    );
    assert.deepEqual(read.unmatched, ['openrouter: no/body']);
  });

  test('that are no whole numbers make the file none of this format', async () => {
    for (const bad of [1.5, -1, null, '12 '])
      await assert.rejects(
        readTokens(openrouterRankings, catalogue({ ...row('openai/o1', 'standard', 1, 1), total_prompt_tokens: bad })),
        /is not of this format: data\[0\]/,
      );
  });
});

describe('facts on models', () => {
  test('an empty Hugging Face id is none, and a model with one is open', async () => {
    const price = { prompt: '0.000001', completion: '0.000001' };
    const read = await readTokens(
      openrouterModels,
      catalogue(
        entry('openai/gpt-5.5', 'openai/gpt-5.5-20260423', price, {
          hugging_face_id: '',
          description: 'It has 70B parameters.',
          name: 'OpenAI: GPT-5.5',
        }),
        entry('inclusionai/ling-3.0-tiny:free', 'inclusionai/ling-3.0-tiny-20260806', price, {
          hugging_face_id: 'inclusionAI/Ling-3.0-tiny',
          name: 'inclusionAI: Ling 3.0 Tiny (free)',
          description: 'It has 1.3B active parameters out of 7.9B total.',
          expiration_date: '2026-12-31',
        }),
      ),
    );
    assert.deepEqual(read.models, [
      {
        day: '2026-11-20',
        label: 'openai/gpt-5.5-20260423',
        model: 'openai/gpt-5.5',
        isDeprecated: false,
        name: 'GPT-5.5',
        contextLength: 1000,
        huggingFaceId: null,
        openWeights: null,
        totalParam: null,
        activeParam: null,
        paramEvidence: null,
        modelType: null,
        expiresOn: null,
      },
      {
        day: '2026-11-20',
        label: 'inclusionai/ling-3.0-tiny-20260806:free',
        model: 'inclusionai/ling-3.0-tiny',
        isDeprecated: false,
        name: 'Ling 3.0 Tiny',
        contextLength: 1000,
        huggingFaceId: 'inclusionAI/Ling-3.0-tiny',
        openWeights: null,
        totalParam: '7.9',
        activeParam: '1.3',
        paramEvidence: '7.9B total; 1.3B active',
        modelType: null,
        expiresOn: '2026-12-31',
      },
    ]);
  });

  test('of models.dev: a model without a cost is kept for its facts, one that makes images is not', async () => {
    const read = await readTokens(modelsDev, {
      groq: {
        id: 'groq',
        models: {
          'openai/gpt-oss-20b': {
            name: 'GPT OSS 20B',
            open_weights: true,
            limit: { context: 131072, output: 65536 },
            modalities: { input: ['text'], output: ['text'] },
            cost: { input: 0.1, output: 0.5, cache_read: 0.05, context_over_200k: { input: 1, output: 2 } },
          },
          'moonshotai/kimi-k2-instruct': { name: 'Kimi K2', open_weights: true, status: 'deprecated' },
        },
      },
      openai: { models: { 'gpt-image-1': { modalities: { output: ['image'] }, cost: { input: 5, output: 40 } } } },
    });
    assert.deepEqual(priced(read), { 'openai/gpt-oss-20b|standard at groq': ['0.1', '0.5', '0.05'] });
    assert.deepEqual(read.refused, { 'other-mode': 1 });
    assert.deepEqual(
      read.models.map(({ model, openWeights, isDeprecated, contextLength, totalParam }) => [
        model,
        openWeights,
        isDeprecated,
        contextLength,
        totalParam,
      ]),
      [
        ['openai/gpt-oss-20b', true, false, 131072, '20'],
        ['moonshotai/kimi-k2', true, true, null, null],
      ],
    );
  });

  test('of an operator’s file go without parsing, closed models included, and a bad cell is refused by its name', async () => {
    const text = [
      'model,name,model_type,total_param,active_param,context_length,open_weights,deprecated,expires_on,source',
      'openai/gpt-4o,GPT-4o,closed-source,200,50.5,128000,false,,,a paper',
      'openai/gpt-4,,open,,,,,,,a guess',
      'x,,,,,,,,,nobody',
      '',
    ].join('\n');
    const read = await readTokens(tokenModels, text);
    assert.deepEqual(read.refused, { 'bad-cell': 1 });
    assert.deepEqual(read.unmatched, ['x']);
    const [fact] = read.models;
    assert.deepEqual(
      [fact?.model, fact?.modelType, fact?.totalParam, fact?.activeParam, fact?.paramEvidence, fact?.openWeights],
      ['openai/gpt-4o', 'closed-source', '200', '50.5', 'a paper', false],
    );
  });

  test('prices of ours: a label, a seller, two days with the end not included, and where they are from', async () => {
    const text = [
      'model,seller,price_input,price_output,price_cached_input,valid_from,valid_to,source',
      'gpt-4o,openai,2.50,10.00,1.25,2026-01-01,2026-02-01,a letter',
      'meta-llama/Llama-3.3-70B-Instruct,groq,0.59,0.79,,,,a page',
      'gpt-4o,openai,1,1,,2026-02-01,2026-02-01,a slip',
      '',
    ].join('\n');
    const read = await readTokens(tokenPrices, text);
    assert.deepEqual(read.refused, { 'bad-cell': 1 });
    assert.deepEqual(priced(read), {
      'openai/gpt-4o|standard at openai': ['2.5', '10', '1.25'],
      'meta/llama-3.3-70b-instruct|standard at groq': ['0.59', '0.79', null],
    });
    assert.deepEqual([read.prices[0]?.validFrom, read.prices[0]?.validTo], ['2026-01-01', '2026-02-01']);
    assert.equal(read.prices[0]?.raw['source'], 'a letter');
  });
});
