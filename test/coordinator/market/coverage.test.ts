import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';

const HEAD = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
const names = ['Lambda', 'Crusoe', 'Nebius', 'RunPod', 'Together', 'Vultr'];
const cards = ['H100 SXM', 'H200 SXM', 'B200', 'A100 SXM4 80GB', 'L40S'];

/** `rows` of a day: providers and cards in turn, `of` as many of each as are named. */
function listed(day: string, rows: number, of: { providers?: number; cards?: number } = {}): string[] {
  const { providers = 5, cards: models = 5 } = of;
  return Array.from(
    { length: rows },
    (_, at) => `${day},${names[at % providers]},${cards[Math.floor(at / providers) % models]},8,on_demand,2.${at % 10}`,
  );
}

const table = (...rows: string[][]): string => `${[HEAD, ...rows.flat()].join('\n')}\n`;

/** Reads a file by the command; its exit code and what it printed without the path. */
async function read(
  market: MarketCommands,
  content: string,
  { name = 'prices.csv', flags = [] }: { name?: string; flags?: string[] } = {},
): Promise<{ code: number; text: string }> {
  const path = await market.file(name, content);
  const { code, stdout, stderr } = await market.command('ingest', 'observations', path, ...flags);
  return { code: code ?? -1, text: `${stdout}${stderr}`.slice(path.length).trimEnd() };
}

const REMEDY =
  'Nothing of it is kept. If the source did shrink, add --accept-coverage-drop; if the file is only a part of it, give it its own name or --provider, so that it is kept alongside the rest.';

test(
  'two rows under the name of the real day of 2026-05-08 are refused with the counts, and nothing changes',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const [head = '', ...lines] = readFileSync(
      sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'),
      'utf8',
    ).split('\n');
    const day = lines.filter((line) => line.startsWith('2026-05-08,'));
    const name = 'neocloud_daily_median.2026-05-08.csv';
    const full = await market.file(name, [head, ...day].join('\n'));
    const partial = await market.file(name, [head, ...day.slice(0, 2)].join('\n'));
    assert.match((await market.command('ingest', 'neocloud-daily', full)).stdout, /67 read, 66 kept \(2026-05-08\)/);
    const before = await market.state();
    const refused = await market.command('ingest', 'neocloud-daily', partial);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(
      refused.stderr,
      /2026-05-08\.csv: would drop more than 20 % of what this source has on 2026-05-08: rows 66 -> 2, products \d+ -> \d, providers \d -> 1\. Nothing of it is kept\. [^\n]*--accept-coverage-drop[^\n]*\n$/,
    );
    assert.deepEqual(await market.state(), before);

    const accepted = await market.command('ingest', 'neocloud-daily', '--accept-coverage-drop', partial);
    assert.equal(accepted.code, 0);
    assert.match(
      accepted.stdout,
      /66 earlier observations of these days replaced\n +accepted: less than [^\n]*rows 66 -> 2/,
    );
    const again = await market.command('ingest', 'neocloud-daily', full);
    assert.match(again.stdout, /67 read, 66 kept/);
    const stands = await market.state();
    for (const name of ['provider_price', 'daily_price', 'latest_price'] as const)
      assert.deepEqual(stands[name], before[name], name);
  },
);

test('exactly a fifth less of the same day is let in, a row less is not', async (t) => {
  const market = await marketCommands(t);
  assert.equal((await read(market, table(listed('2025-03-01', 50)))).code, 0);
  assert.equal((await read(market, table(listed('2025-03-01', 40)))).code, 0);
  // 40 stand now; a fifth of them is 8.
  assert.deepEqual(await read(market, table(listed('2025-03-01', 31))), {
    code: 1,
    text: `: would drop more than 20 % of what this source has on 2025-03-01: rows 40 -> 31, products 5 -> 5, providers 5 -> 5. ${REMEDY}`,
  });
});

test('as many rows of fewer products, or of fewer providers, are refused as well', async (t) => {
  const market = await marketCommands(t);
  await read(market, table(listed('2025-03-01', 50)));
  const fewer = [
    [{ cards: 3 }, 'rows 50 -> 50, products 5 -> 3, providers 5 -> 5'],
    [{ providers: 3 }, 'rows 50 -> 50, products 5 -> 5, providers 5 -> 3'],
  ] as const;
  for (const [of, counts] of fewer) {
    const { code, text } = await read(market, table(listed('2025-03-01', 50, of)));
    assert.equal(code, 1);
    assert.ok(text.includes(counts), text);
  }
});

test('one bad day of many is refused, although the file as a whole loses little', async (t) => {
  const market = await marketCommands(t);
  const days = Array.from({ length: 20 }, (_, at) => `2025-03-${String(at + 1).padStart(2, '0')}`);
  await read(market, table(...days.map((day) => listed(day, 50))));
  const { code, text } = await read(
    market,
    table(...days.map((day) => listed(day, day === '2025-03-07' ? 25 : day === '2025-03-09' ? 30 : 50))),
  );
  assert.equal(code, 1);
  assert.match(text, /has on 2025-03-07 and of 1 further day: rows 50 -> 25, products 5 -> 5/);
});

test('a new day with far less than the median of the last five readings is refused, and one odd day is not the measure', async (t) => {
  const market = await marketCommands(t);
  // The median of 50, 52, 90, 48 and 51 is 51: more than 40.8 is let in.
  for (const [at, rows] of [10, 50, 52, 90, 48, 51].entries())
    assert.equal((await read(market, table(listed(`2025-03-0${at + 1}`, rows)))).code, 0, String(rows));
  assert.deepEqual(await read(market, table(listed('2025-03-07', 40))), {
    code: 1,
    text: `: would drop more than 20 % of what the last 5 readings of this source had (median): rows 51 -> 40, products 5 -> 5, providers 5 -> 5. ${REMEDY}`,
  });
  assert.equal((await read(market, table(listed('2025-03-07', 41)))).code, 0);
});

test('a drop that was accepted is the measure of the readings after it', async (t) => {
  const market = await marketCommands(t);
  const accept = { flags: ['--accept-coverage-drop'] };
  for (const day of ['2025-03-01', '2025-03-02', '2025-03-03']) await read(market, table(listed(day, 50)));
  assert.equal((await read(market, table(listed('2025-03-04', 30)), accept)).code, 0);
  assert.equal((await read(market, table(listed('2025-03-05', 29)))).code, 0);
  const { code, text } = await read(market, table(listed('2025-03-06', 20)));
  // of 30 and 29
  assert.deepEqual([code, text.includes('rows 29.5 -> 20')], [1, true], text);
});

test('a file of which no row can be kept is refused where its source had some', async (t) => {
  const market = await marketCommands(t);
  await read(market, table(listed('2025-03-01', 50)));
  const { code, text } = await read(
    market,
    table(listed('2025-03-02', 50).map((line) => line.replace(/,2\.\d$/, ',-1'))),
  );
  assert.equal(code, 1);
  assert.match(text, /the last reading of this source had: rows 50 -> 0, products 5 -> 0, providers 5 -> 0\./);
});

test('the first reading, an earlier day than any, one provider as a part of its own and a far longer file are not refused', async (t) => {
  const market = await marketCommands(t);
  assert.equal((await read(market, table(listed('2025-03-05', 50)))).code, 0);
  assert.equal((await read(market, table(listed('2025-03-01', 10)))).code, 0);
  assert.equal((await read(market, table(listed('2025-03-06', 3)), { name: 'lambda.csv' })).code, 0);
  const days = Array.from({ length: 9 }, (_, at) => `2025-04-0${at + 1}`);
  assert.equal((await read(market, table(...days.map((day) => listed(day, 5))))).code, 0);
});

test('a file of which another took a day is not "read before": it is loaded again, whole', async (t) => {
  const market = await marketCommands(t);
  const whole = await market.file('p.csv', table(listed('2025-03-01', 10), listed('2025-03-02', 10)));
  const given = { acceptCoverageDrop: true };
  await market.ingest(observations, whole);
  const before = await market.state();
  await market.ingest(observations, await market.file('p.csv', table(listed('2025-03-02', 2))), given);
  const [again] = await market.ingest(observations, whole);
  assert.ok(again?.kind === 'stored');
  assert.deepEqual([again.run.rowsKept, again.run.rowsReplaced], [20, 10 + 2]);
  assert.deepEqual((await market.state())['daily_price'], before['daily_price']);
  assert.equal((await market.ingest(observations, whole))[0]?.kind, 'known');
});
