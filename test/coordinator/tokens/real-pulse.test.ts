import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { testApp } from '../../support/app.ts';
import { catalogueReading, modelOf, noRealDays, rawDays, usageReading } from './real-days.ts';
import { store, type PriceSeen } from './stored-observations.ts';

const prices = join(import.meta.dirname, '../../../../shared/data/tokens/genai-prices');
const readOn = ['2026-07-31', '2026-08-13', '2026-08-21'];
const missing =
  noRealDays || (existsSync(prices) ? false : 'needs real price lists, which this checkout does not have');

interface RawProvider {
  id: string;
  models: { id: string; prices: { input_mtok?: unknown; output_mtok?: unknown } | unknown[] }[];
}

/** Plain prices of a list: one label of a model at a seller, and several sellers of a model by its name. */
function pricesOf(day: string): PriceSeen[] {
  const text = gunzipSync(readFileSync(join(prices, `v2.data.${day}.json.gz`))).toString();
  const seen = (JSON.parse(text) as RawProvider[]).flatMap(({ id: seller, models }) =>
    models.flatMap((model): PriceSeen[] => {
      if (Array.isArray(model.prices)) return [];
      const { input_mtok, output_mtok } = model.prices;
      if (typeof input_mtok !== 'number' || typeof output_mtok !== 'number') return [];
      const name = model.id.split('/').at(-1)?.toLowerCase() ?? '';
      const sellerType = seller === 'openrouter' ? 'marketplace' : 'model-platform';
      const figures = { input: String(input_mtok), output: String(output_mtok) };
      return [{ label: model.id, model: `any/${name}`, seller, sellerType, ...figures }];
    }),
  );
  const labels = Map.groupBy(seen, ({ model, seller }) => `${model} ${seller}`);
  return seen.filter(({ model, seller }) => labels.get(`${model} ${seller}`)?.length === 1);
}

const near = (actual: string | null, expected: number, what: string): void => {
  assert.ok(actual !== null, what);
  assert.ok(
    Math.abs(Number(actual) - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, ${expected}`,
  );
};
const DAY_MS = 86_400_000;

describe('the pulse of 23 real days', { skip: missing }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-08-28T06:00:00Z') });
  const days = rawDays();
  const lists = new Map(readOn.map((day) => [day, pricesOf(day)]));
  await store(
    app,
    ...days.flatMap((day) => [usageReading(day), catalogueReading(day)]),
    ...readOn.map((day) => ({ source: 'genai-prices', day, prices: lists.get(day) ?? [] })),
  );
  const rows = await app.platform.sql<Record<string, string | null>[]>`
    select day::text, model, volume_input_index::text as input, volume_output_index::text as output,
      avg_price_input::text as avg_in, avg_price_output::text as avg_out, med_price_input::text as med_in,
      med_price_output::text as med_out, sellers::text, is_estimated::text, volume_counts::text as counts from token_pulse`;
  // Which prices do not count is tested in screened-prices.test.ts.
  const screened = await app.platform.sql<{ key: string }[]>`
    select day || ' ' || model || ' ' || source_id as key from token_book where screened_by is not null`;
  const isScreened = new Set(screened.map(({ key }) => key));
  const found = new Map(rows.map((row) => [`${row['day']} ${row['model']}`, row]));

  test('volume indices are 100 x tokens / (tokens of the market in the first complete week / 7), to 1e-9', () => {
    // 2026-08-03 is the first Monday of the series, which begins on Thursday 2026-07-30.
    const week = new Set(
      Array.from({ length: 7 }, (_, at) => new Date(Date.parse('2026-08-03') + at * DAY_MS).toISOString().slice(0, 10)),
    );
    const market = { input: 0n, output: 0n };
    const byModel = new Map<string, { input: bigint; output: bigint; counts: number }>();
    for (const { rankings } of days)
      for (const row of rankings) {
        const day = row.date.slice(0, 10);
        const [input, output] = [BigInt(row.total_prompt_tokens), BigInt(row.total_completion_tokens)];
        if (week.has(day)) market.input += input;
        if (week.has(day)) market.output += output;
        const key = `${day} ${modelOf(row.model_permaslug)}`;
        const known = byModel.get(key) ?? { input: 0n, output: 0n, counts: 0 };
        byModel.set(key, {
          input: known.input + input,
          output: known.output + output,
          counts: known.counts + 1,
        });
      }
    assert.ok(byModel.size > 8000, String(byModel.size));
    for (const [key, { input, output, counts }] of byModel) {
      near(found.get(key)?.['input'] ?? null, (700 * Number(input)) / Number(market.input), `${key} input`);
      near(found.get(key)?.['output'] ?? null, (700 * Number(output)) / Number(market.output), `${key} output`);
      assert.equal(found.get(key)?.['is_estimated'], 'false');
      assert.equal(found.get(key)?.['counts'], String(counts), key);
    }
    assert.ok(
      [...byModel.values()].some(({ counts }) => counts > 1),
      'models with several variants were among them',
    );
    assert.ok(rows.every((row) => (row['input'] === null) === (row['counts'] === '0')));
    assert.equal(rows.filter((row) => row['input'] !== null).length, byModel.size);
  });

  test('prices are the mean and the median of one vote per lab or platform, for seven days from their reading, to 1e-9', () => {
    let compared = 0;
    for (let time = Date.parse('2026-07-25'); time <= Date.parse('2026-09-05'); time += DAY_MS) {
      const day = new Date(time).toISOString().slice(0, 10);
      const read = readOn.findLast((other) => other <= day);
      const holds = read !== undefined && time - Date.parse(read) < 7 * DAY_MS;
      const votes = (holds ? (lists.get(read) ?? []) : []).filter(
        ({ sellerType, model, seller }) => sellerType !== 'marketplace' && !isScreened.has(`${day} ${model} ${seller}`),
      );
      const byModel = Map.groupBy(votes, ({ model }) => model);
      assert.equal(rows.filter((row) => row['day'] === day && row['avg_in'] !== null).length, byModel.size, day);
      for (const [model, ofModel] of byModel) {
        const row = found.get(`${day} ${model}`);
        compared += 1;
        assert.equal(row?.['sellers'], String(ofModel.length));
        for (const [side, avg, med] of [
          ['input', 'avg_in', 'med_in'],
          ['output', 'avg_out', 'med_out'],
        ] as const) {
          const sorted = ofModel.map((vote) => Number(vote[side])).toSorted((a, b) => a - b);
          const half = sorted.length / 2;
          const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
          near(
            row[avg] ?? null,
            sorted.reduce((sum, price) => sum + price, 0) / sorted.length,
            `${day} ${model} ${avg}`,
          );
          near(row[med] ?? null, (low + high) / 2, `${day} ${model} ${med}`);
        }
      }
    }
    assert.ok(compared > 5000, String(compared));
    assert.ok(isScreened.size < compared / 100, String(isScreened.size));
    assert.ok(
      rows.some((row) => Number(row['sellers']) >= 4),
      'models with several sellers were among them',
    );
  });
});
