import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveNewDays } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { withoutShared } from '../ingest/read-source.ts';
import { rawJson } from '../ingest/tokens/read-tokens.ts';
import { observeTokens } from '../../../coordinator/ingest/tokens/observe-tokens.ts';
import { litellm } from '../../../coordinator/ingest/tokens/litellm.ts';
import { storeRealMarket } from './real-market.ts';
import { store, type PriceSeen, type Reading } from './stored-observations.ts';

const now = new Date('2026-08-24T06:00:00Z');
const sold = (seller: string, output: string, more: Partial<PriceSeen> = {}): PriceSeen => ({
  label: 'm',
  model: 'lab/m',
  seller,
  input: output,
  output,
  ...more,
});
const list = (day: string, prices: readonly PriceSeen[], more: Partial<Reading> = {}): Reading => ({
  source: 'litellm',
  day,
  prices,
  ...more,
});

interface Outcome {
  /** seller -> why it is not counted */
  screened: Record<string, string>;
  mean: number | null;
  sellers: number;
}

async function outcome({ platform: { sql } }: TestApp, day: string, model = 'lab/m'): Promise<Outcome> {
  const book = await sql<{ source_id: string; screened_by: string | null }[]>`
    select source_id, screened_by from token_book where day = ${day} and model = ${model} order by source_id`;
  const [pulse] = await sql<{ mean: number | null; sellers: number }[]>`
    select avg_price_output::float8 as mean, sellers from token_pulse where day = ${day} and model = ${model}`;
  return {
    screened: Object.fromEntries(
      book.flatMap(({ source_id, screened_by }) => (screened_by === null ? [] : [[source_id, screened_by]])),
    ),
    mean: pulse?.mean ?? null,
    sellers: pulse?.sellers ?? 0,
  };
}

describe('a price that does not count is kept, and is in neither mean nor median', () => {
  test('from three sellers on: one that is more than eight times from the median', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [sold('a', '1'), sold('b', '1'), sold('c', '9'), sold('d', '7')]));
    assert.deepEqual(await outcome(app, '2026-08-01'), { screened: {}, mean: 4.5, sellers: 4 }, 'a wide market');
    await store(app, list('2026-08-10', [sold('a', '1'), sold('b', '1'), sold('c', '9'), sold('d', '1')]));
    assert.deepEqual(await outcome(app, '2026-08-10'), { screened: { c: 'others' }, mean: 1, sellers: 3 });
  });

  test('of two that differ by more than 20 times neither, and there is no mean; a marketplace tells which is right', async (t) => {
    const app = await testApp(t, { now });
    const two = [sold('a', '1'), sold('b', '21')];
    await store(app, list('2026-08-01', [sold('a', '1'), sold('b', '20')]));
    assert.deepEqual(await outcome(app, '2026-08-01'), { screened: {}, mean: 10.5, sellers: 2 });
    await store(app, list('2026-08-08', two, { scope: 'other' }));
    assert.deepEqual((await outcome(app, '2026-08-09')).screened, { a: 'others', b: 'others' });
    assert.equal((await outcome(app, '2026-08-09')).mean, null);
    const through = sold('openrouter', '1.1', { sellerType: 'marketplace' });
    await store(app, list('2026-08-16', [...two, through], { scope: 'other' }));
    assert.deepEqual(await outcome(app, '2026-08-17'), { screened: { b: 'others' }, mean: 1, sellers: 1 });
  });

  test('alone: what no model of its size costs, or any model', async (t) => {
    const app = await testApp(t, { now });
    const of = (model: string, output: string): PriceSeen => sold('a', output, { model });
    await store(
      app,
      list('2026-08-01', [of('lab/m-8b', '13'), of('lab/n-8b', '14'), of('lab/o', '1000'), of('lab/p', '1001')]),
    );
    const means = await Promise.all(
      ['lab/m-8b', 'lab/n-8b', 'lab/o', 'lab/p'].map(async (model) => (await outcome(app, '2026-08-01', model)).mean),
    );
    assert.deepEqual(means, [13, null, 1000, null]);
  });

  test('a step of more than ten times of a seller’s own price, unless towards two others or the operator says so', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [sold('a', '1')]));
    await store(app, list('2026-08-07', [sold('a', '11')]));
    assert.deepEqual(await outcome(app, '2026-08-07'), { screened: { a: 'own-history' }, mean: null, sellers: 0 });
    await store(app, list('2026-08-07', [sold('b', '9'), sold('c', '10')], { scope: 'others' }));
    assert.deepEqual(await outcome(app, '2026-08-07'), { screened: {}, mean: 10, sellers: 3 });
    const own = sold('a', '300');
    await store(app, { source: 'token-prices', day: '2026-08-15', prices: [own] });
    assert.deepEqual((await outcome(app, '2026-08-15')).screened, {});
  });

  test('the marketplace’s under a lab’s name, of a model that others may run; another source’s is used first', async (t) => {
    const app = await testApp(t, { now });
    const [open, closed] = ['qwen/qwen3-32b', 'openai/gpt-5'];
    const copied = [open, closed].flatMap((model) => [
      sold('lab', '0.18', { model, sellerType: 'model-lab' }),
      sold('openrouter', '0.18', { model, sellerType: 'marketplace' }),
      sold('host', '0.6', { model }),
    ]);
    await store(app, list('2026-08-02', copied, { source: 'genai-prices' }));
    const outcomeOf = (model: string, day = '2026-08-02') => outcome(app, day, model);
    assert.deepEqual(await outcomeOf(open), { screened: { lab: 'copied' }, mean: 0.6, sellers: 1 });
    assert.deepEqual((await outcomeOf(closed)).screened, {}, 'only the lab has a closed model');
    const own = (output: string) => [sold('lab', output, { model: open, sellerType: 'model-lab' })];
    await store(app, list('2026-08-02', own('0.4')));
    assert.deepEqual(await outcomeOf(open), { screened: {}, mean: 0.5, sellers: 2 });
    // What the lab is known to ask by another source is no copy, also after that was read.
    await store(app, list('2026-08-02', own('0.18')));
    await store(app, list('2026-08-12', copied, { source: 'genai-prices' }));
    assert.deepEqual(await outcomeOf(open, '2026-08-12'), { screened: {}, mean: 0.39, sellers: 2 });
  });

  test('the second list of a company', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [sold('zhipuai', '1'), sold('z-ai', '2'), sold('host', '3')]));
    assert.deepEqual(await outcome(app, '2026-08-01'), {
      screened: { zhipuai: 'same-company' },
      mean: 2.5,
      sellers: 2,
    });
  });

  test('days that an earlier version derived are derived again, once', async (t) => {
    const app = await testApp(t, { now });
    const { sql } = app.platform;
    await store(app, list('2026-08-20', [sold('a', '1'), sold('b', '1'), sold('c', '90')]));
    await sql`update token_book set screened_by = null`;
    await sql`update token_rules set rules = 0`;
    await deriveNewDays(app.context);
    assert.deepEqual((await outcome(app, '2026-08-20')).screened, { c: 'others' });
    await sql`update token_book set screened_by = null`;
    await deriveNewDays(app.context);
    assert.deepEqual((await outcome(app, '2026-08-20')).screened, {});
  });
});

describe('slips of the publishers', { skip: withoutShared }, () => {
  test('of a thousand to a hundred thousand times do not count, and what is left has a mean', async (t) => {
    const app = await testApp(t, { now });
    const said = rawJson('cases/litellm-units-100000-too-high.2026-07-24.json') as object;
    const reading = await litellm.read({
      name: 'f',
      day: '2026-07-24',
      content: (async function* () {
        yield Buffer.from(JSON.stringify(said));
      })(),
    });
    const { prices } = observeTokens(litellm, reading, '2026-07-24');
    await store(
      app,
      list(
        '2026-07-24',
        prices.map((price) => ({
          label: price.label,
          model: price.model,
          seller: price.seller,
          sellerType: price.seller_type,
          input: price.price_input,
          output: price.price_output,
        })),
      ),
    );
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
