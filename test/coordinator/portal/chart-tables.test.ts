import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MOST_POINTS } from '../../../coordinator/contract/sensor-series.ts';
import { figure as shownFigure } from '../../../coordinator/portal/components/numbers.ts';
import { portalWorld, slug } from './world.ts';

const world = await portalWorld({ after });
const { it } = world.owner;

/** Headings and rows of the table below a chart, as text; the chart is identified by the table's caption. */
async function tableOf(path: string, caption: RegExp): Promise<{ heads: string[]; rows: string[][] }> {
  const answer = await it.get(path);
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  const figures = page.match(/<figure class="chart">[^]*?<\/figure>/g) ?? [];
  const figure = figures.find((one) => caption.test(one)) ?? assert.fail(`no chart with ${String(caption)} on ${path}`);
  const cellsOf = (row: string): string[] =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim());
  const [heads = [], ...rows] = [...figure.matchAll(/<tr[^>]*>([^]*?)<\/tr>/g)].map(([, row = '']) => cellsOf(row));
  return { heads, rows };
}

const json = async (path: string): Promise<Record<string, unknown>[]> =>
  ((await (await it.get(path)).json()) as { results: Record<string, unknown>[] }).results;

test('the table below a chart of one kind of provider has both of its lines, day by day', async () => {
  const days = 'start_date=2026-06-01&end_date=2026-08-21';
  const kinds = ['Neocloud', 'Hyperscaler', 'Marketplace'];
  const of = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      rows: await json(`/market/${slug}.json?${days}&provider_source_type=${kind}`),
    })),
  );
  const { kind, rows } = of.find((one) => one.rows.length > 1) ?? assert.fail('no kind has prices');
  const all = await json(`/market/${slug}.json?${days}`);
  const table = await tableOf(`/market/${slug}?${days}&provider_source_type=${kind}`, /Price by day/);
  assert.deepEqual(table.heads.slice(-2), ['All providers', 'Their count']);
  const dates = new Set([...rows, ...all].map((row) => row['date']));
  assert.equal(table.rows.length, dates.size);
  const shown = new Map(table.rows.map((row) => [row[0], row]));
  for (const row of all) {
    const [price, count] = (shown.get(String(row['date'])) ?? []).slice(-2);
    assert.deepEqual([price, count], [Number(row['price']).toFixed(2), String(row['provider_count'])]);
  }
});

test('the table below a forward curve has both of its lines for every quarter of a month, and its files have the same', async () => {
  const points = await json(`/market/${slug}/forward.json`);
  const { rows } = await tableOf(`/market/${slug}/forward`, /every quarter of a month/);
  assert.deepEqual(
    rows.map(([months]) => Number(months)),
    points.map((point) => point['tenor_months']),
  );
  assert.deepEqual(
    points.slice(0, 2).map((point) => point['tenor_months']),
    [0, 0.25],
  );
});

test('the table below rent or buy has every month that is drawn', async () => {
  const { rows } = await tableOf(`/market/${slug}/rent-or-buy?horizon_months=20`, /Money by month/);
  assert.deepEqual(
    rows.map(([month]) => Number(month)),
    (await json(`/market/${slug}/rent-or-buy.json?horizon_months=20`)).map((row) => row['month']),
  );
  assert.ok(rows.length >= 20);
});

test('the table below the sensor chart has every point that is drawn', async () => {
  const path = `/tasks/${world.task}?device=GPU%200`;
  const { rows } = await tableOf(path, /What the sensors said/);
  const points = /class="s1" d="([^"]+)"/.exec(await (await it.get(path)).text())?.[1]?.match(/[ML]/g);
  assert.equal(rows.length, points?.length);
  // Two readings each: the files have all of them.
  assert.equal(rows.length, MOST_POINTS / 2);
  const all = await json(`/tasks/${world.task}/samples.json?device=GPU%200`);
  assert.equal(all.length, MOST_POINTS);
  const mean = (name: string, at: number) => (Number(all[2 * at]?.[name]) + Number(all[2 * at + 1]?.[name])) / 2;
  for (const at of [0, 1, 40, 127]) {
    const [seconds, watts, degrees] = rows[at] ?? [];
    assert.deepEqual(
      [seconds, watts],
      [Number(all[2 * at]?.['seconds']), mean('power_watts', at)].map((one) => shownFigure(one)),
    );
    const hottest = all[2 * at + 1]?.['temperature_celsius'];
    assert.equal(degrees, typeof hottest === 'number' ? shownFigure(hottest) : '–');
  }
});
