import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { aggregator } from '../../../coordinator/ingest/connectors/aggregator.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { aggregatorHistory } from '../ingest/real-files.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';

const HEAD = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
const sellers = { Lambda: 2.99, Crusoe: 3.9, Nebius: 2.95, RunPod: 2.69, Together: 3.2 };

/** Five providers' eight H100 and one H200 of each day, the listed price times `times`, for those that are named. */
const table = (days: Record<string, number>, of: readonly string[] = Object.keys(sellers)): string =>
  [
    HEAD,
    ...Object.entries(days).flatMap(([day, times]) =>
      Object.entries(sellers).flatMap(([seller, price]) => {
        const asked = of.includes(seller) ? price * times : price;
        return [
          `${day},${seller},H100 SXM,8,on_demand,${asked}`,
          `${day},${seller},H200 SXM,8,on_demand,${asked * 1.3}`,
        ];
      }),
    ),
  ].join('\n');

async function read(
  market: MarketCommands,
  content: string,
  ...flags: string[]
): Promise<{ code: number; text: string }> {
  const path = await market.file('prices.csv', content);
  const { code, stdout, stderr } = await market.command('ingest', 'observations', path, ...flags);
  return { code: code ?? -1, text: `${stdout}${stderr}`.slice(path.length) };
}

const REMEDY =
  'Nothing of it is kept. Compare both days with what the source publishes. If the prices of both days are right as they are, add --unit-changed-on 2025-03-02.\n';

for (const [times, said] of [
  [8, 'are multiplied by the number of their own accelerators (8)'],
  [1 / 8, 'are divided by the number of their own accelerators (8)'],
  [1000, 'are multiplied by 1,000'],
  [0.1, 'are divided by 10'],
] as const)
  test(`a file whose prices ${said} from one day to the next is not read, and nothing changes`, async (t) => {
    const market = await marketCommands(t);
    const before = await market.state();
    assert.deepEqual(await read(market, table({ '2025-03-01': 1, '2025-03-02': times })), {
      code: 1,
      text: `: most prices of observations seem to change their unit on 2025-03-02: 10 of 10 prices ${said} compared with 2025-03-01. ${REMEDY}`,
    });
    assert.deepEqual(await market.state(), before);
  });

test('a new day is compared with the stored one before it, and an old one with the stored one after it', async (t) => {
  const market = await marketCommands(t);
  assert.equal((await read(market, table({ '2025-03-02': 1 }))).code, 0);
  assert.match(
    (await read(market, table({ '2025-03-09': 8 }))).text,
    /on 2025-03-09: 10 of 10 [^\n]* with 2025-03-02\./,
  );
  assert.match((await read(market, table({ '2025-03-01': 1 / 8 }))).text, /on 2025-03-02: [^\n]* with 2025-03-01\./);
  assert.equal((await read(market, table({ '2025-03-01': 1, '2025-03-09': 1 }), '--accept-coverage-drop')).code, 0);
});

test('fewer than most of the prices, or a factor that no unit has, do not stop a file', async (t) => {
  const market = await marketCommands(t);
  assert.equal((await read(market, table({ '2025-03-01': 1, '2025-03-02': 8 }, ['Lambda', 'Crusoe']))).code, 0);
  assert.equal((await read(market, table({ '2025-03-03': 1, '2025-03-04': 1.4 }))).code, 0);
});

test('what the operator states is kept with the reading: the file is read, and so are those after it', async (t) => {
  const market = await marketCommands(t);
  const whole = table({ '2025-03-01': 1, '2025-03-02': 8 });
  const stated = await read(market, whole, '--unit-changed-on', '2025-03-02');
  assert.deepEqual(
    [stated.code, stated.text.split('\n')[0]],
    [0, ': 20 read, 20 kept (2 days, 2025-03-01 to 2025-03-02)'],
  );
  assert.equal((await read(market, whole, '--again')).code, 0);
  assert.equal((await read(market, table({ '2025-03-02': 8 }), '--again')).code, 0);
  const accept = '--accept-coverage-drop';
  const other = await read(market, table({ '2025-03-03': 1 }), accept, '--unit-changed-on', '2025-03-02');
  assert.match(other.text, /change their unit on 2025-03-03: 10 of 10 prices are divided by/);
  const both = ['2025-03-03', '2025-03-04'].flatMap((day) => ['--unit-changed-on', day]);
  const two = await read(market, table({ '2025-03-03': 1, '2025-03-04': 8 }), accept, ...both);
  assert.equal(two.code, 0, two.text);
});

test('the day is named if it is none, in the future, or for a source without prices of accelerators', async (t) => {
  const market = await marketCommands(t);
  const of = async (...argv: string[]): Promise<string> => (await market.command('ingest', ...argv)).stderr;
  assert.match(await of('observations', 'p.csv', '--unit-changed-on', 'May'), /--unit-changed-on: must be YYYY-MM-DD/);
  assert.match(
    await of('observations', 'p.csv', '--unit-changed-on', '2999-01-01'),
    /--unit-changed-on: 2999-01-01 is in the future/,
  );
  assert.match(
    await of('ember', 'p.csv', '--unit-changed-on', '2025-01-01'),
    /for sources of rental and retail prices; leave it out for ember/,
  );
});

/** Azure's machines of one and two H100 hold the NVL card. */
const isNvl = (row: Record<string, string>): boolean =>
  row['provider'] === 'azure' && row['gpu_model'] === 'H100_SXM' && Number(row['gpu_count']) < 8;

test(
  'the aggregator of 2026-02-11 to 03-05 as its rows have it: H100, H200 and B200 on demand and spot',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const rows = csvRows(gunzipSync(readFileSync(sharedPath(aggregatorHistory))).toString('utf8'));
    const [report] = await market.ingest(aggregator, sharedPath(aggregatorHistory));
    assert.ok(report?.kind === 'stored');
    const unknown = await market.platform.sql<{ label: string }[]>`
      select label from unmatched_label where kind = 'provider'`;
    const names = new Set(unknown.map(({ label }) => label));
    for (const [slug, model] of Object.entries({
      'nvidia-h100-sxm-80gb': 'H100_SXM',
      'nvidia-h200-sxm-141gb': 'H200',
      'nvidia-b200-192gb': 'B200',
    }))
      for (const day of ['2026-02-17', '2026-02-19', '2026-03-05']) {
        const { observations: seen, votes } = await market.explain(slug, day);
        const ofDay = rows.filter(
          (row) =>
            row['date'] === day && row['gpu_model'] === model && !names.has(row['provider'] ?? '') && !isNvl(row),
        );
        assert.equal(seen.total, ofDay.length, `${slug} ${day}`);
        for (const { row, price, gpu_count } of seen.rows) {
          const stated = rows[(row ?? 0) - 1] ?? assert.fail(`row ${row}`);
          const cards = Number(stated['gpu_count']);
          const each = Number(stated['price_median_usd']) / (day < '2026-02-19' ? cards : 1);
          assert.deepEqual([gpu_count, price], [cards, each], `${slug} ${day}, row ${row}`);
        }
        assert.ok(votes.every(({ screened_by }) => screened_by !== 'unit'));
      }
  },
);

test(
  'the index of AWS, Google and others does not fall with the unit, and the day of both units has no price',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    await market.ingest(aggregator, sharedPath(aggregatorHistory));
    const { stdout } = await market.command('ingest', 'series', 'nvidia-h200-sxm-141gb', '2026-02-17', '2026-02-19');
    const cells = stdout
      .split('\n')
      .filter((line) => line.startsWith('2026-'))
      .map((line) => line.split(/ +/));
    // Eight H200 of AWS, Google and Oracle: 63.30, 83.49 and 80.00 together, later 7.91, 10.44 and 10.00 each.
    const geometric = (...prices: number[]): number => prices.reduce((all, one) => all * one, 1) ** (1 / 3);
    const [whole, each] = [geometric(63.3 / 8, 83.49 / 8, 10), geometric(7.91, 10.44, 10)];
    assert.deepEqual(
      cells.map(([day, , , , , , , , status, , hs]) => [day, status, Number(hs).toFixed(3)]),
      [
        ['2026-02-17', 'ok', whole.toFixed(3)],
        ['2026-02-18', '-', whole.toFixed(3)],
        ['2026-02-19', 'ok', each.toFixed(3)],
      ],
    );
    const [before, , after] = cells.map(([, mean]) => Number(mean));
    assert.ok(Math.abs((after ?? 0) / (before ?? 1) - 1) < 0.01, `mean ${before} and ${after}`);
    const { observations: seen } = await market.explain('nvidia-h200-sxm-141gb', '2026-02-18');
    assert.ok(
      seen.total > 0 &&
        seen.rows.every(({ fate }) => fate.includes('prices of whole machines and of single accelerators')),
    );
  },
);

test(
  'the aggregator read in one unit throughout stops on 2026-02-19 and says what the option means',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const asked = async (day: string): Promise<string> =>
      (await market.command('ingest', 'aggregator', sharedPath(aggregatorHistory), '--unit-changed-on', day)).stderr;
    assert.match(
      await asked('2026-05-01'),
      /most prices of aggregator seem to change their unit on 2026-02-19: 1\d\d of \d+ prices are divided by the number of their own accelerators \(2, 3, 4, 8, 10, 16\) compared with 2026-02-17\. [^\n]*If its prices are per accelerator from that day on and not before, or [^\n]*--unit-changed-on 2026-02-19\.\n$/,
    );
    // Per accelerator from the first day on: the rows of before are too high.
    assert.match(await asked('2026-02-11'), /change their unit on 2026-02-19: /);
  },
);

test(
  'a source that was stored in the wrong unit: its votes stand aside from that day on, price and index are insufficient',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    // What a reader without the change of the unit stores: every price divided by the count.
    const divided = {
      ...aggregator,
      read: (file) => aggregator.read({ ...file, unitChangedOn: ['2027-01-01'] }),
    } satisfies typeof aggregator;
    const [report] = await market.ingest(divided, sharedPath(aggregatorHistory), { unitChangedOn: ['2026-02-19'] });
    assert.ok(report?.kind === 'stored');
    // Stored by an earlier version, which did not look; this one prices the days again.
    await market.platform.sql`update ingest_run set unit_changed_on = '{}'`;
    await market.platform.sql`update priced_day set rules = 2`;
    assert.equal((await market.command('ingest', 'reprice')).code, 0);
    for (const [slug, type] of [
      ['nvidia-h100-sxm-80gb', '0'],
      ['nvidia-h200-sxm-141gb', '0'],
      ['nvidia-b200-192gb', '0'],
    ] as const) {
      const { stdout } = await market.command('ingest', 'series', slug, '2026-02-19', '2026-03-05', '--type', type);
      const cells = stdout
        .split('\n')
        .filter((line) => line.startsWith('2026-'))
        .map((line) => line.split(/ +/));
      for (const [day, , , , , , , , status, neo, hs, all] of cells)
        assert.deepEqual([status, neo, hs, all], ['insufficient', '-', '-', '-'], `${slug} ${day}`);
    }
    const { stdout } = await market.command('ingest', 'explain', 'nvidia-h100-sxm-80gb', '2026-02-19');
    assert.match(
      stdout,
      /Amazon Web Services +0\.8600 +1 +6\.8800 +not counted: most prices of its source moved together by a factor that another unit would explain/,
    );
  },
);

test('what an undone reading states does not hold any more', async (t) => {
  const market = await marketCommands(t);
  const path = await market.file('p.csv', table({ '2025-03-01': 1, '2025-03-02': 8 }));
  const [report] = await market.ingest(observations, path, { unitChangedOn: ['2025-03-02'] });
  assert.ok(report?.kind === 'stored');
  assert.equal((await market.command('ingest', 'undo', report.run.runId)).code, 0);
  assert.equal((await market.command('ingest', 'observations', path)).code, 1);
});
