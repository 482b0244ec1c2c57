import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { store, type Reading, type UsageSeen } from './stored-observations.ts';

const DAY_MS = 86_400_000;
const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
const use = (model: string | null, total: number, input: number | null): UsageSeen => ({
  permaslug: model ?? 'other',
  variant: 'standard',
  model,
  total: String(total),
  input: input === null ? null : String(input),
});
const page = (day: string, usage: UsageSeen[]): Reading => ({ source: 'openrouter-rankings', day, usage });
const official = (day: string, usage: UsageSeen[]): Reading => ({ source: 'openrouter-daily', day, usage });
const catalogue = (day: string): Reading => ({
  source: 'openrouter-models',
  day,
  prices: ['x/a', 'x/b'].map((model) => ({
    label: model,
    model,
    permaslug: model,
    seller: 'openrouter',
    sellerType: 'marketplace' as const,
    input: '1',
    output: '5',
  })),
});

const MONDAY = '2026-06-01';

describe('a feed that does not split input from output', () => {
  test('is split by the model’s own ratio of the 28 days before, else the market’s, and marked as estimated', async (t) => {
    const app = await testApp(t, { now: new Date('2026-07-15T06:00:00Z') });
    // a: 900 of 1000 in on each day; with b, which is 100 of 1000, the market is half and half.
    const week = Array.from({ length: 7 }, (_, at) =>
      page(dayAfter(MONDAY, at), [use('x/a', 1000, 900), use('x/b', 1000, 100)]),
    );
    const later = dayAfter(MONDAY, 20);
    await store(
      app,
      ...week,
      official(later, [
        use('x/a', 4000, null),
        { ...use('x/a', 1000, null), variant: 'free' },
        use('x/new', 333, null),
        use(null, 100, null),
      ]),
    );
    const rows = await app.platform.sql<Record<string, string>[]>`
      select model, volume_input_index::float8::text as input, volume_output_index::float8::text as output, is_estimated::text as est,
        volume_counts::text as n from token_pulse where day = ${later} order by model`;
    // The market of the base week: 1000 in and 1000 out a day. a has two variants: 3600 + 900 of 5000 in. 333 by halves is 166.5, half up.
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { model: 'x/a', input: '450', output: '50', est: 'true', n: '2' },
        { model: 'x/new', input: '16.7', output: '16.6', est: 'true', n: '1' },
      ],
    );
  });

  test('does not count where another feed of the day has a split', async (t) => {
    const app = await testApp(t, { now: new Date('2026-07-15T06:00:00Z') });
    const week = Array.from({ length: 7 }, (_, at) => page(dayAfter(MONDAY, at), [use('x/a', 1000, 900)]));
    await store(app, ...week, official(MONDAY, [use('x/a', 9999, null), use('x/b', 9999, null)]));
    const rows = await app.platform.sql<Record<string, string>[]>`
      select model, volume_input_index::float8::text as input, is_estimated::text as est from token_pulse where day = ${MONDAY}`;
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ model: 'x/a', input: '100', est: 'false' }],
    );
  });

  test('without anything to split by has no volume index and no expenditure, and says so; the base week is the first that has', async (t) => {
    const app = await testApp(t, { now: new Date('2026-07-15T06:00:00Z') });
    const early = Array.from({ length: 7 }, (_, at) => official(dayAfter(MONDAY, at), [use('x/a', 1000, null)]));
    await store(app, ...early, catalogue(MONDAY));
    const [day] = await app.platform.sql<Record<string, string | null>[]>`
      select value, reason from token_index_day where token = 'expenditure' and day = ${MONDAY}`;
    assert.deepEqual({ ...day }, { value: null, reason: 'no feed of the 28 days before splits input from output' });
    const volumes = () => app.platform.sql<Record<string, string | null>[]>`
      select day::text, volume_input_index::float8::text as input, volume_counts::text as n from token_pulse order by day`;
    const unsplit = await volumes();
    assert.ok(unsplit.every(({ input, n }) => input === null && n === '0'));
    const second = Array.from({ length: 7 }, (_, at) => page(dayAfter(MONDAY, 7 + at), [use('x/a', 1000, 500)]));
    await store(app, ...second);
    assert.deepEqual(
      (await volumes()).map(({ input }) => input),
      [...Array<null>(7).fill(null), ...Array<string>(7).fill('100')],
    );
  });

  test('counts `other` as not free and without a price, so that the coverage tells', async (t) => {
    const app = await testApp(t, { now: new Date('2026-07-15T06:00:00Z') });
    const later = dayAfter(MONDAY, 1);
    await store(
      app,
      page(MONDAY, [use('x/a', 1000, 500)]),
      official(later, [use('x/a', 900, null), use(null, 100, null)]),
      catalogue(later),
    );
    const rows = await app.platform.sql<Record<string, string>[]>`
      select token, value::text, coverage::text from token_index_day where day = ${later} and token in ('expenditure', 'closed_expenditure')
      order by token`;
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { token: 'closed_expenditure', value: '3.0000', coverage: '1.000000' },
        { token: 'expenditure', value: '3.0000', coverage: '0.900000' },
      ],
    );
  });
});
