import assert from 'node:assert/strict';
import { test } from 'node:test';
import { developerName } from '../../../../coordinator/tokens/identity/identity-tables.ts';
import { modelName } from '../../../../coordinator/tokens/identity/name-spelling.ts';
import { licenceOf, modelTypeOf } from '../../../../coordinator/tokens/identity/model-type.ts';
import { parametersIn } from '../../../../coordinator/tokens/identity/parameters.ts';
import { sellerNamed, sellerTypeOf } from '../../../../coordinator/tokens/sellers.ts';

const sizes = (name: string, description: string | null = null, huggingFaceId: string | null = null): string | null => {
  const said = parametersIn({ name, description, huggingFaceId });
  return said && `${said.total ?? '?'} of which ${said.active ?? '?'}: ${said.evidence}`;
};

test('sizes are read from names, with the words that say so', () => {
  const said: readonly (readonly [string, string | null])[] = [
    ['qwen/qwen3-30b-a3b', '30 of which 3: 30b-a3b'],
    ['qwen/qwen3.8-2.4t-a95b', '2400 of which 95: 2.4t-a95b'],
    ['inclusionai/ling-2.6-1t', '1000 of which ?: 1t'],
    ['qwen/qwen3.5-0.5b', '0.5 of which ?: 0.5b'],
    ['meta/llama-3.1-405b-instruct', '405 of which ?: 405b'],
    ['tencent/hunyuan-a13b-instruct', '? of which 13: a13b'],
    ['meta/llama-4-scout-17b-16e-instruct', '? of which 17: 17b-16e'],
    ['mistralai/mixtral-8x7b-instruct', null],
    ['microsoft/wizardlm-2-8x22b', null],
    ['google/gemma-3n-e4b-it', null],
    ['moonshotai/moonshot-v1-128k', null],
    ['openai/gpt-4o', null],
    ['cohere/command-r7b', null],
  ];
  for (const [name, expected] of said) assert.equal(sizes(name), expected, name);
  assert.equal(
    sizes('nvidia/nemotron-3-ultra', null, 'nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16'),
    '550 of which 55: 550B-A55B',
  );
});

test('sizes are read from what is told of a model, and a number of tokens is none', () => {
  const said: readonly (readonly [string, string | null])[] = [
    ['It has 1.3B active parameters out of 7.9B total.', '7.9 of which 1.3: 7.9B total; 1.3B active'],
    ['A model of 671B parameters, 37B active, that thinks.', '671 of which 37: 671B parameters; 37B active'],
    [
      'With 10 billion activated parameters (230 billion total).',
      '230 of which 10: 230 billion total; 10 billion activated',
    ],
    ['It activates only 11B of its 196B parameters.', '196 of which 11: 196B parameters; activates only 11B'],
    ['Has 1.6T total parameters and 49B activated parameters.', '1600 of which 49: 1.6T total; 49B activated'],
    [
      'A 13B active parameter model with a total parameter count of 80B.',
      '80 of which 13: parameter count of 80B; 13B active',
    ],
    [
      'Activating 17 billion parameters out of a total of 109B.',
      '109 of which 17: total of 109B; Activating 17 billion',
    ],
    ['It activates 22B parameters a token.', '? of which 22: activates 22B'],
    ['An 8-billion-parameter dense model.', '8 of which ?: 8-billion-parameter'],
    ['Trained on 15T tokens with a context of 1M tokens.', null],
  ];
  for (const [description, expected] of said) assert.equal(sizes('x/y', description), expected, description);
});

test('a text completes a name that it agrees with, rounding aside, and never overrules it', () => {
  const sparse = 'A 21B parameter model with 3.6B active parameters.';
  assert.equal(sizes('openai/gpt-oss-20b', sparse), '20 of which 3.6: 20b; 21B parameter; 3.6B active');
  assert.equal(sizes('x/y-70b', 'Smaller than the one of 405B parameters with 17B active.'), '70 of which ?: 70b');
  assert.equal(sizes('x/y-30b-a3b', 'It has 99B total parameters and 9B active ones.'), '30 of which 3: 30b-a3b');
});

test('a model is open if its weights can be had, open source by its licence, and closed only if something says so', () => {
  const type = (
    model: string,
    huggingFaceId: string | null = null,
    openWeights: boolean | null = null,
  ): string | null => modelTypeOf({ model, huggingFaceId, openWeights });
  assert.equal(type('openai/gpt-5'), 'closed-source');
  assert.equal(type('openai/gpt-oss-120b'), 'open-source');
  assert.equal(type('meta/llama-3.3-70b-instruct'), 'open-weight');
  assert.equal(type('qwen/qwen3-max'), null);
  assert.equal(type('somebody/new'), null);
  assert.equal(type('openai/gpt-oss-120b', null, false), 'open-source');
  assert.equal(type('mistralai/mixtral-8x7b-instruct'), 'open-source');
  assert.equal(type('mistralai/mistral-7b'), 'open-source');
  assert.equal(type('microsoft/phi-2'), 'open-source');
  assert.equal(type('qwen/qwen3-embedding-4b'), 'open-source');
  assert.equal(type('01-ai/yi-34b'), 'open-source');
  assert.equal(type('perplexity/r1-1776'), 'open-source');
  assert.equal(type('qwen/qwen3-32b'), 'open-source');
  assert.equal(type('qwen/qwen2.5-72b-instruct'), 'open-weight');
  assert.equal(type('qwen/qwen2.5-7b-instruct'), 'open-source');
  assert.equal(type('deepseek/deepseek-v3'), 'open-weight');
  assert.equal(type('deepseek/deepseek-v3-0324'), 'open-source');
  assert.equal(type('mistralai/mistral-large-2407'), 'open-weight');
  assert.equal(type('somebody/new', 'somebody/New'), 'open-weight');
  assert.equal(type('somebody/new', null, true), 'open-weight');
  assert.equal(type('somebody/new', null, false), 'closed-source');
  assert.equal(licenceOf('z-ai/glm-4.6')?.licence, 'MIT');
  assert.equal(licenceOf('moonshotai/kimi-k2-thinking')?.licence, 'modified MIT');
  assert.equal(licenceOf('anthropic/claude-opus-5')?.openness, 'closed-source');
  assert.equal(licenceOf('somebody/new'), null);
});

test('a name is shown without its developer before it and the offer behind it', () => {
  assert.equal(modelName('Anthropic: Claude Haiku 4.5 (batch)'), 'Claude Haiku 4.5');
  assert.equal(modelName('Claude Opus 5'), 'Claude Opus 5');
  assert.equal(modelName('Google: Gemma 4 26B A4B  (free)'), 'Gemma 4 26B A4B');
  assert.equal(modelName('Cohere: Command R (08-2024)'), 'Command R (08-2024)');
  assert.equal(modelName(' '), null);
  assert.equal(developerName('x-ai'), 'xAI');
});

test('a seller is the lab of its own models, a platform of others, or a marketplace', () => {
  const type = (provider: string, developer: string): string | null => {
    const seller = sellerNamed(provider);
    return seller && `${seller.seller} ${sellerTypeOf(seller, developer)}`;
  };
  assert.equal(type('bedrock_converse', 'anthropic'), 'aws model-platform');
  assert.equal(type('aws', 'amazon'), 'aws model-lab');
  assert.equal(type('vertex_ai-language-models', 'google'), 'google model-lab');
  assert.equal(type('vertex_ai-anthropic_models', 'anthropic'), 'google model-platform');
  assert.equal(type('perplexity', 'meta'), 'perplexity model-platform');
  assert.equal(type('openrouter', 'openai'), 'openrouter marketplace');
  assert.equal(type('huggingface_novita', 'qwen'), 'huggingface-novita marketplace');
  assert.equal(type('nobody', 'openai'), null);
});
