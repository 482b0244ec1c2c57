import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { litellm } from '../../../coordinator/ingest/tokens/litellm.ts';
import { testApp } from '../../support/app.ts';
import { withoutShared } from '../ingest/read-source.ts';
import { rawJson, readTokens } from '../ingest/tokens/read-tokens.ts';
import { storeRealMarket } from './real-market.ts';
import { outcome } from './screened-outcome.ts';
import { store } from './stored-observations.ts';

const now = new Date('2026-08-24T06:00:00Z');

describe('slips of the publishers', { skip: withoutShared }, () => {
  test('of a thousand to a hundred thousand times do not count, and what is left has a mean', async (t) => {
    const app = await testApp(t, { now });
    const { prices } = await readTokens(
      litellm,
      rawJson('cases/litellm-units-100000-too-high.2026-07-24.json') as object,
    );
    await store(app, {
      source: 'litellm',
      day: '2026-07-24',
      prices: prices.map((price) => ({
        label: price.label,
        model: price.model,
        seller: price.seller,
        sellerType: price.seller_type,
        input: price.price_input,
        output: price.price_output,
      })),
    });
    assert.deepEqual(await outcome(app, '2026-07-24', 'openai/gpt-oss-120b'), {
      screened: { wandb: 'band' },
      mean: 0.6,
      sellers: 2,
    });
    for (const [model, seller] of [
      ['meta/llama-3.3-70b-instruct', 'wandb'],
      ['core42/jais-30b-chat', 'azure'],
      ['core42/jais-13b-chat', 'watsonx'],
    ] as const)
      assert.deepEqual(await outcome(app, '2026-07-24', model), {
        screened: { [seller]: 'band' },
        mean: null,
        sellers: 0,
      });
    assert.equal((await outcome(app, '2026-07-24', 'moonshotai/kimi-k2.5')).mean, 3);
    assert.equal((await outcome(app, '2026-07-24', 'deepseek/deepseek-v3.1')).mean, 1.68);
  });

  test('on no day of all their files is a mean above five medians', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-28T06:00:00Z') });
    await storeRealMarket(app);
    const { sql } = app.platform;
    const [counts] = await sql<{ days: number; prices: number; above: string[] | null }[]>`
      select count(distinct day)::int4 as days, count(*)::int4 as prices,
        array_agg(day || ' ' || model) filter (where avg_price_input > 5 * med_price_input
          or avg_price_output > 5 * med_price_output) as above
      from token_pulse where avg_price_input is not null`;
    t.diagnostic(`${counts?.prices} prices of ${counts?.days} days`);
    assert.ok(counts && counts.prices > 80_000);
    assert.equal(counts.above, null);
    const figure = async (day: string, model: string): Promise<string> => {
      const [row] = await sql<{ text: string }[]>`
        select concat_ws(' / ', round(avg_price_input, 2), round(avg_price_output, 2)) || ' of ' || sellers as text
        from token_pulse where day = ${day} and model = ${model}`;
      return row?.text ?? 'none';
    };
    // Sums of the sellers' prices in the files by hand, without the one that slipped.
    assert.equal(await figure('2026-07-25', 'openai/gpt-oss-120b'), '0.16 / 0.58 of 16');
    assert.equal(await figure('2026-07-25', 'core42/jais-30b-chat'), 'none');
    assert.equal(await figure('2025-06-23', 'meta/llama-3-8b-instruct'), '0.09 / 0.10 of 3');
    assert.equal(await figure('2025-08-01', 'mistralai/mistral-nemo'), '0.16 / 0.16 of 3');
    assert.equal(await figure('2025-09-03', 'qwen/qwen2.5-72b-instruct'), '0.12 / 0.35 of 2');
    const [copied] = await sql<{ sellers: string[] }[]>`
      select array_agg(distinct model order by model) as sellers from token_book
      where day = '2026-08-22' and source_id in ('openai', 'google', 'deepseek') and screened_by = 'copied'`;
    for (const model of [
      'openai/gpt-oss-120b',
      'openai/gpt-oss-20b',
      'deepseek/deepseek-v3.2',
      'google/gemma-4-31b-it',
    ])
      assert.ok(copied?.sellers.includes(model), model);
  });
});
