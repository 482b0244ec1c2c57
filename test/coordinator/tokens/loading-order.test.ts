import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { catalogueReading, noRealDays, rawDays, usageReading } from './real-days.ts';
import { store, type Reading } from './stored-observations.ts';

const DAYS = 12;
/** Models of a day: those of the first letters, each of which keeps its variants. */
const MODELS = /^[a-m]/;

/** A fixed shuffle. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return list
    .map((value) => ({ value, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** A dated list, read twice with a gap of more than seven days before, between and after. */
const dated = (day: string, usd: string): Reading => ({
  source: 'llm-prices',
  day,
  prices: ['2026-07-20', '2026-08-05'].map((validFrom, at) => ({
    label: `lab-model-${at}`,
    model: 'lab/model',
    seller: 'lab',
    sellerType: 'model-lab',
    validFrom,
    validTo: at === 0 ? '2026-08-05' : null,
    input: at === 0 ? '9' : usd,
    output: '20',
  })),
});

describe('figures that are derived from the same files', { skip: noRealDays }, () => {
  test('are of all of them if two ingestions end at once: none derives from what the other has not brought yet', async (t) => {
    const app = await testApp(t, { now: new Date('2026-08-24T06:00:00Z') });
    const [first, second] = rawDays();
    assert.ok(first && second);
    // The usage of 2026-07-31 was read with the second; both catalogues price it.
    await Promise.all(
      [usageReading(second), catalogueReading(first), catalogueReading(second)].map((one) => store(app, one)),
    );
    const rows = await app.platform.sql<{ value: string }[]>`
      select value::text from token_index_day where token = 'expenditure' and day = '2026-07-31'`;
    assert.equal(rows[0]?.value, '0.9258');
  });

  test('are the same to the last digit in whatever order the files are loaded', async (t) => {
    const days = rawDays()
      .slice(0, DAYS)
      .map(({ captured, rankings, models }) => ({
        captured,
        rankings: rankings.filter(({ model_permaslug }) => MODELS.test(model_permaslug)),
        models: models.filter(({ canonical_slug }) => MODELS.test(canonical_slug)),
      }));
    const usage = days.map(usageReading);
    const catalogues = days.map(catalogueReading);
    const lists = [dated('2026-07-28', '5'), dated('2026-08-14', '6')];
    const official: Reading = {
      source: 'openrouter-daily',
      day: '2026-08-20',
      usage: [
        {
          permaslug: 'anthropic/claude-4.6-sonnet',
          variant: 'standard',
          model: 'anthropic/claude-4.6-sonnet',
          total: '1000001',
          input: null,
        },
        { permaslug: 'other', variant: 'standard', model: null, total: '100001', input: null },
      ],
    };
    const files = [...usage, ...catalogues, ...lists, official];
    const orders: Record<string, Reading[]> = {
      'all at once': [],
      'rankings first': files,
      'catalogues first': [...lists, ...catalogues, official, ...usage],
      backwards: files.toReversed(),
      shuffled: shuffled(files, 11),
    };
    const outcomes = new Map<string, unknown>();
    for (const [name, order] of Object.entries(orders)) {
      const app = await testApp(t, { now: new Date('2026-08-24T06:00:00Z') });
      if (order.length === 0) await store(app, ...files);
      for (const file of order) {
        await store(app, file);
        app.clock.advance({ minutes: 1 });
      }
      const { sql } = app.platform;
      outcomes.set(name, {
        models: await sql`select * from token_model_day order by day, model collate "C"`,
        book: await sql`select day, model, source_id, price_input, price_output, source, observed_on, is_copied,
          screened_by from token_book
          order by day, model collate "C", source_id`,
        pulse: await sql`select * from token_pulse order by day, model collate "C"`,
        indices:
          await sql`select token, version, day, value, coverage, models, tokens, status, reason from token_index_day
          order by token, day`,
      });
    }
    const expected = outcomes.get('all at once') as Record<string, unknown[]>;
    assert.ok((expected['indices']?.length ?? 0) >= 6 * DAYS);
    assert.ok((expected['pulse']?.length ?? 0) > 1500);
    for (const [name, outcome] of outcomes)
      for (const [table, rows] of Object.entries(outcome as Record<string, unknown[]>))
        assert.deepEqual(rows, expected[table], `${table}, ${name}`);
  });
});
