import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restateIndex } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { store, type Reading } from './stored-observations.ts';

const price = {
  label: 'a/m',
  model: 'a/m',
  permaslug: 'a/m',
  seller: 'openrouter',
  sellerType: 'marketplace',
} as const;
/** One model at so much, input and output alike, so that the expenditure is its price. */
const catalogue = (day: string, usd: string): Reading => ({
  source: 'openrouter-models',
  day,
  prices: [{ ...price, input: usd, output: usd }],
});
const usage = (day: string): Reading => ({
  source: 'openrouter-rankings',
  day,
  usage: [{ permaslug: 'a/m', variant: 'standard', model: 'a/m', total: '1000', input: '800' }],
});

async function indexOf({ platform }: TestApp, token = 'expenditure'): Promise<Record<string, string>> {
  const rows = await platform.sql<{ day: string; value: string | null; status: string }[]>`
    select day::text, round(value, 4)::text as value, status from token_index_day where token = ${token} order by day`;
  return Object.fromEntries(rows.map(({ day, value, status }) => [day, `${value ?? '-1'} ${status}`]));
}

const restatementsOf = async ({ platform }: TestApp) => [
  ...(await platform.sql<Record<string, string>[]>`
    select token, day::text, from_value::float8::text as was, to_value::float8::text as is, reason
    from token_index_restatement where token = 'expenditure' order by restated_at, day`),
];

describe('an index that has been published', () => {
  test('follows what comes late for seven days, each change listed, then stands', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-02T06:00:00Z') });
    await store(app, usage('2026-08-01'), catalogue('2026-08-01', '1'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '1.0000 provisional' });
    app.clock.advance({ days: 6, hours: 17, minutes: 59 });
    // 2026-08-08 23:59
    await store(app, catalogue('2026-08-01', '2'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '2.0000 provisional' });
    app.clock.advance({ minutes: 1 });
    await store(app, catalogue('2026-08-01', '3'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '2.0000 frozen' });
    assert.deepEqual(await restatementsOf(app), [
      { token: 'expenditure', day: '2026-08-01', was: '1', is: '2', reason: 'observations of 2026-08-01' },
    ]);
  });

  test('is restated by an operator alone, with the reason; other frozen days stand', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-03T06:00:00Z') });
    await store(
      app,
      usage('2026-08-01'),
      usage('2026-08-02'),
      catalogue('2026-08-01', '1'),
      catalogue('2026-08-02', '1'),
    );
    app.clock.advance({ days: 20 });
    await store(app, catalogue('2026-08-01', '4'), catalogue('2026-08-02', '4'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '1.0000 frozen', '2026-08-02': '1.0000 frozen' });
    const changes = await restateIndex(app.context, { day: '2026-08-02', reason: 'the seller corrected its list' });
    assert.deepEqual(await indexOf(app), { '2026-08-01': '1.0000 frozen', '2026-08-02': '4.0000 frozen' });
    const [listed, ...others] = await restatementsOf(app);
    assert.deepEqual(listed, {
      token: 'expenditure',
      day: '2026-08-02',
      was: '1',
      is: '4',
      reason: 'the seller corrected its list',
    });
    assert.deepEqual(others, []);
    assert.deepEqual(
      changes.map(({ token }) => token),
      ['expenditure', 'closed_expenditure'],
    );
    // Both days cost four times as much as was published; against one another they are the same, so the price index stands.
    assert.deepEqual(await indexOf(app, 'token_price'), {
      '2026-08-01': '100.0000 frozen',
      '2026-08-02': '100.0000 frozen',
    });
    // The day that the others are linked to is 100 whatever is restated.
    const base = await restateIndex(app.context, { day: '2026-08-01', reason: 'this day as well' });
    assert.deepEqual(
      base.map(({ token, from_value, to_value }) => `${token} ${from_value} ${to_value}`),
      ['expenditure 1.0000 4.0000', 'closed_expenditure 1.0000 4.0000'],
    );
    assert.equal((await indexOf(app, 'token_price'))['2026-08-01'], '100.0000 frozen');
    const nothing = await restateIndex(app.context, { day: '2026-08-02', reason: 'once more' });
    assert.deepEqual(nothing, []);
    await assert.rejects(restateIndex(app.context, { day: '2020-01-01', reason: 'x' }), /No index has been computed/);
  });

  test('of a day that is loaded as history takes what comes until it has stood for 24 hours, and no longer', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-30T06:00:00Z') });
    await store(app, usage('2026-08-01'), catalogue('2026-08-02', '5'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '5.0000 provisional' });
    app.clock.advance({ hours: 23 });
    await store(app, catalogue('2026-08-01', '1'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '1.0000 provisional' });
    app.clock.advance({ hours: 24 });
    await store(app, catalogue('2026-08-01', '2'));
    assert.deepEqual(await indexOf(app), { '2026-08-01': '1.0000 frozen' });
    assert.deepEqual(await restatementsOf(app), [], 'what was not yet settled is not restated');
  });

  test('a day without a figure waits for one, however long, and says why', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-10T06:00:00Z') });
    const other = { permaslug: 'other', variant: 'standard', model: null, total: '1000', input: '800' };
    const half: Reading = { ...usage('2026-08-01'), usage: [...(usage('2026-08-01').usage ?? []), other] };
    await store(app, half, catalogue('2026-08-01', '1'), usage('2026-08-03'), catalogue('2026-08-03', '1'));
    const reasons = await app.platform.sql<{ day: string; reason: string | null; coverage: string | null }[]>`
      select day::text, reason, coverage::text from token_index_day where token = 'expenditure' order by day`;
    assert.deepEqual(
      reasons.map(({ day, reason, coverage }) => [day, reason, coverage]),
      [
        ['2026-08-01', 'coverage 0.500000 is below 0.85', '0.500000'],
        ['2026-08-02', 'no usage of this day is stored', null],
        ['2026-08-03', null, '1.000000'],
      ],
    );
    app.clock.advance({ days: 60 });
    await store(app, usage('2026-08-02'), catalogue('2026-08-02', '7'));
    assert.deepEqual(await indexOf(app), {
      '2026-08-01': '-1 missing',
      '2026-08-02': '7.0000 provisional',
      '2026-08-03': '1.0000 frozen',
    });
  });

  test('history that is loaded before the first frozen day has expenditures, and no price index: that begins where it began', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-12T06:00:00Z') });
    await store(app, usage('2026-08-11'), catalogue('2026-08-11', '1'));
    app.clock.advance({ days: 30 });
    await store(
      app,
      usage('2026-08-10'),
      catalogue('2026-08-10', '2'),
      usage('2026-08-12'),
      catalogue('2026-08-12', '3'),
    );
    assert.deepEqual(await indexOf(app, 'token_price'), {
      '2026-08-10': '-1 missing',
      '2026-08-11': '100.0000 frozen',
      // From 1 to 3, whatever it was before.
      '2026-08-12': '300.0000 provisional',
    });
    assert.equal((await indexOf(app))['2026-08-10'], '2.0000 provisional');
  });
});
