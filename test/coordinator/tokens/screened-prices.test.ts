import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveNewDays } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { testApp } from '../../support/app.ts';
import { run } from '../../support/run-program.ts';
import { outcome } from './screened-outcome.ts';
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
    // A price that another source has had from the lab counts, even when only the copying source is read later.
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

  test('is an item of the index without a price, if no model has ever had one like it', async (t) => {
    const app = await testApp(t, { now });
    const item = (permaslug: string, tokens: string) => ({
      permaslug,
      variant: 'standard',
      model: permaslug,
      total: tokens,
      input: tokens,
    });
    const through = (model: string, usd: string): PriceSeen =>
      sold('openrouter', usd, { model, permaslug: model, sellerType: 'marketplace' });
    await store(
      app,
      { source: 'openrouter-rankings', day: '2026-08-20', usage: [item('a/m', '900'), item('a/n', '100')] },
      { source: 'openrouter-models', day: '2026-08-20', prices: [through('a/m', '2'), through('a/n', '2000')] },
    );
    const [index] = await app.platform.sql<{ value: string; coverage: number }[]>`
      select value::text, coverage::float8 from token_index_day where token = 'expenditure' and day = '2026-08-20'`;
    assert.deepEqual(index, { value: '2.0000', coverage: 0.9 });
  });

  test('explain-token names each seller and why it does not count', async (t) => {
    const app = await testApp(t, { now });
    const through = sold('openrouter', '1.1', { sellerType: 'marketplace' });
    await store(app, list('2026-08-20', [sold('a', '1'), sold('b', '1'), sold('c', '90'), sold('d', '4'), through]));
    const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
    const { code, stdout, stderr } = await run(['ingest', 'explain-token', 'lab/m', '2026-08-20'], environment);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^mean 2\.0+ \/ 2\.0+, median 1\.0+ \/ 1\.0+, one vote each of 3 sellers that run the model$/m,
    );
    assert.match(
      stdout,
      /^c +model-platform +90 +90 +litellm +2026-08-20 +m +test +not counted: too far from the other/m,
    );
    assert.match(stdout, /^openrouter +marketplace .* does not vote: passes requests on$/m);
    const unknown = await run(['ingest', 'explain-token', 'lab/none', '2026-08-20'], environment);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /lab\/none has no price on 2026-08-20\. Models are developer\/name/);
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
