import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modelsDev } from '../../../../coordinator/ingest/tokens/models-dev.ts';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { tokenModels } from '../../../../coordinator/ingest/tokens/token-models.ts';
import { tokenPrices } from '../../../../coordinator/ingest/tokens/token-prices.ts';
import { readTokens } from './read-tokens.ts';
import { catalogue, entry, priced } from './trap-files.ts';

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
        is_deprecated: false,
        name: 'GPT-5.5',
        context_length: 1000,
        hugging_face_id: null,
        open_weights: null,
        total_param: null,
        active_param: null,
        param_evidence: null,
        model_type: null,
        expires_on: null,
      },
      {
        day: '2026-11-20',
        label: 'inclusionai/ling-3.0-tiny-20260806:free',
        model: 'inclusionai/ling-3.0-tiny',
        is_deprecated: false,
        name: 'Ling 3.0 Tiny',
        context_length: 1000,
        hugging_face_id: 'inclusionAI/Ling-3.0-tiny',
        open_weights: null,
        total_param: '7.9',
        active_param: '1.3',
        param_evidence: '7.9B total; 1.3B active',
        model_type: null,
        expires_on: '2026-12-31',
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
      read.models.map(({ model, open_weights, is_deprecated, context_length, total_param }) => [
        model,
        open_weights,
        is_deprecated,
        context_length,
        total_param,
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
      [fact?.model, fact?.model_type, fact?.total_param, fact?.active_param, fact?.param_evidence, fact?.open_weights],
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
    assert.deepEqual([read.prices[0]?.valid_from, read.prices[0]?.valid_to], ['2026-01-01', '2026-02-01']);
    assert.equal(read.prices[0]?.raw['source'], 'a letter');
  });
});
