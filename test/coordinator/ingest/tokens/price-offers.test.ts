import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genaiPrices } from '../../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../../coordinator/ingest/tokens/llm-prices.ts';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { readTokens } from './read-tokens.ts';
import { catalogue, entry, priced } from './trap-files.ts';

describe('prices', () => {
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
      read.prices.map(({ model, variant, seller, seller_type }) => `${model} ${variant} ${seller} ${seller_type}`),
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
      genai.prices.map(({ model, seller, seller_type }) => `${model} ${seller} ${seller_type}`),
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
});
