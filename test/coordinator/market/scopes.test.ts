import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { dayOfPlace } from '../../../coordinator/ingest/ingest-source.ts';
import { gpuhunt } from '../../../coordinator/ingest/connectors/gpuhunt.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { skypilot } from '../../../coordinator/ingest/connectors/skypilot.ts';
import { zipOf } from '../../support/zip-of.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';

const H100 = 'nvidia-h100-sxm-80gb';
const day = '2025-03-10';
const on = { asOf: day };

/** A catalogue with one machine of 8 H100 at this price for all of it. */
const vms = (type: string, price: number): string =>
  `InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n${type},H100,8,,,,${price},\n`;
const catalogue = (price: number): string =>
  `instance_name,location,price,gpu_count,gpu_name,gpu_memory,spot\nmachine,,${price},8,H100 SXM,80,False\n`;
/** A line for each `day price`. */
const table = (...lines: string[]): string =>
  [
    'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour',
    ...lines.map((line) => {
      const [date, price] = line.split(' ');
      return `${date},Lambda,H100 SXM,8,on_demand,${price}`;
    }),
  ].join('\n');

/** What stands, as `day provider price`. */
async function standing({ platform: { sql } }: MarketCommands): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select observed_at::date || ' ' || p.slug || ' ' || price as text from observation join provider p using (provider_id)
    order by 1`;
  return rows.map(({ text }) => text);
}

/** Runs in their order: `standing`, or `replaced by 3` for the third of them. */
async function runs({ platform: { sql } }: MarketCommands): Promise<string[]> {
  const rows = await sql<{ id: string; replaced_by: string | null }[]>`
    select id, replaced_by from ingest_run order by id`;
  const numbers = new Map(rows.map(({ id }, at) => [id, at + 1]));
  return rows.map(({ replaced_by }) => (replaced_by === null ? 'standing' : `replaced by ${numbers.get(replaced_by)}`));
}

test('clouds of SkyPilot under one file name, told by their folders, stand beside each other', async (t) => {
  const market = await marketCommands(t);
  for (const [cloud, type, price] of [
    ['aws', 'p5.48xlarge', 40],
    ['azure', 'Standard_ND96isr_H100_v5', 48],
  ] as const)
    await market.ingest(skypilot, await market.file(`v8/${cloud}/vms.csv`, vms(type, price)), on);
  // 40 and 48 USD for 8 accelerators
  assert.deepEqual(await standing(market), [`${day} aws 5`, `${day} azure 6`]);
  assert.deepEqual(await runs(market), ['standing', 'standing']);
});

test('catalogues of gpuhunt under one file name, told by their folders, stand beside each other', async (t) => {
  const market = await marketCommands(t);
  for (const [provider, price] of [
    ['nebius', 16],
    ['verda', 20],
  ] as const) {
    const zip = zipOf({ 'catalog.csv': catalogue(price) });
    await market.ingest(gpuhunt, await market.file(`v3/${provider}/latest/catalog.zip`, zip), on);
  }
  assert.deepEqual(await standing(market), [`${day} nebius 2`, `${day} verda 2.5`]);
});

test('a cloud is the same part whether --provider, the file name or the folder says which it is', async (t) => {
  const market = await marketCommands(t);
  await market.ingest(skypilot, await market.file('vms.csv', vms('p5.48xlarge', 40)), { ...on, provider: 'AWS' });
  await market.ingest(skypilot, await market.file('aws.vms.csv', vms('p5.48xlarge', 44)), on);
  assert.deepEqual(await standing(market), [`${day} aws 5.5`]);
  await market.ingest(skypilot, await market.file('aws/vms.csv', vms('p5.48xlarge', 48)), on);
  assert.deepEqual(await standing(market), [`${day} aws 6`]);
  assert.deepEqual(await runs(market), ['replaced by 2', 'replaced by 3', 'standing']);
});

test('a later file of the same part and day takes its place; explain shows what stands and no more', async (t) => {
  const market = await marketCommands(t);
  await market.ingest(observations, await market.file('prices.csv', table(`${day} 2`, `${day} 3`)));
  const fewer = await market.file('prices.csv', table(`${day} 4`));
  const [second] = await market.ingest(observations, fewer, { acceptCoverageDrop: true });
  assert.ok(second?.kind === 'stored');
  assert.deepEqual([second.run.rowsKept, second.run.rowsReplaced], [1, 2]);
  await market.ingest(observations, await market.file('others.csv', table(`${day} 5`)));
  assert.deepEqual(await runs(market), ['replaced by 2', 'standing', 'standing']);
  const { prices, votes, observations: seen } = await market.explain(H100, day);
  assert.deepEqual(
    seen.rows.map(({ price, source }) => [price, source]),
    [
      [4, 'observations'],
      [5, 'observations'],
    ],
  );
  assert.deepEqual(new Set(votes.map(({ price, observations: of }) => [price, of].join())), new Set(['4.5,2']));
  assert.deepEqual(
    prices.map(({ country, price }) => [country, price]),
    [
      ['', 4.5],
      ['ZZ', 4.5],
    ],
  );
  const { stdout } = await market.command('ingest', 'explain', H100, day);
  assert.match(stdout, /4\.0000/);
  assert.doesNotMatch(stdout, /[23]\.0000/);
});

test('a file of days 2 to 4 replaces days 2 and 3 of one of days 1 to 3; day 1 again ends the first run', async (t) => {
  const market = await marketCommands(t);
  const [one, two, three, four] = ['2025-03-01', '2025-03-02', '2025-03-03', '2025-03-04'];
  await market.ingest(observations, await market.file('p.csv', table(`${one} 1`, `${two} 1`, `${three} 1`)));
  await market.ingest(observations, await market.file('p.csv', table(`${two} 2`, `${three} 2`, `${four} 2`)));
  assert.deepEqual(await standing(market), [
    `${one} lambda 1`,
    `${two} lambda 2`,
    `${three} lambda 2`,
    `${four} lambda 2`,
  ]);
  assert.deepEqual(await runs(market), ['standing', 'standing']);
  await market.ingest(observations, await market.file('p.csv', table(`${one} 3`)));
  assert.deepEqual(await standing(market), [
    `${one} lambda 3`,
    `${two} lambda 2`,
    `${three} lambda 2`,
    `${four} lambda 2`,
  ]);
  assert.deepEqual(await runs(market), ['replaced by 3', 'standing', 'standing']);
});

test('a run of days that are not next to each other is replaced by the next of these days, and may come back', async (t) => {
  const market = await marketCommands(t);
  const first = await market.file('p.csv', table('2025-01-01 1', '2025-03-01 1'));
  await market.ingest(observations, first);
  await market.ingest(observations, await market.file('p.csv', table('2025-01-01 2', '2025-03-01 2')));
  assert.deepEqual(await runs(market), ['replaced by 2', 'standing']);
  const [again] = await market.ingest(observations, first);
  assert.equal(again?.kind, 'stored');
  assert.deepEqual(await standing(market), ['2025-01-01 lambda 1', '2025-03-01 lambda 1']);
});

test('a file without any kept row ends no other run, and none ends it', async (t) => {
  const market = await marketCommands(t);
  const [bare, full] = [
    await market.file('p.csv', table(`${day} -1`)),
    await market.file('p.csv', table('2025-03-11 1')),
  ];
  const read = async (): Promise<string[]> => {
    const reports = [...(await market.ingest(observations, bare)), ...(await market.ingest(observations, full))];
    return reports.map(({ kind }) => kind);
  };
  assert.deepEqual(await read(), ['stored', 'stored']);
  assert.deepEqual(await read(), ['known', 'known']);
  assert.deepEqual(await runs(market), ['standing', 'standing']);
});

test('the same list on the next day is that day’s too; the same file of the same day is read once', async (t) => {
  const market = await marketCommands(t);
  const list = vms('p5.48xlarge', 40);
  const [tenth, eleventh] = [
    await market.file('aws.2025-03-10.csv', list),
    await market.file('aws.2025-03-11.csv', list),
  ];
  assert.equal((await market.ingest(skypilot, tenth))[0]?.kind, 'stored');
  assert.equal((await market.ingest(skypilot, tenth))[0]?.kind, 'known');
  assert.equal((await market.ingest(skypilot, eleventh))[0]?.kind, 'stored');
  assert.deepEqual(await standing(market), ['2025-03-10 aws 5', '2025-03-11 aws 5']);
  assert.equal((await market.ingest(skypilot, tenth))[0]?.kind, 'known');
  // The name says the tenth, the operator another day.
  assert.equal((await market.ingest(skypilot, tenth, { asOf: '2025-03-12' }))[0]?.kind, 'stored');
});

test('a file whose name and rows have no day asks for it and changes nothing; rows with their own days, and addresses, do not', async (t) => {
  const market = await marketCommands(t);
  const undated = await market.file('aws.vms.csv', vms('p5.48xlarge', 41));
  const before = await market.state();
  const { code, stdout, stderr } = await market.command('ingest', 'skypilot', undated);
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(
    stderr,
    `${undated}: neither its name nor its rows state the day of its prices. Add --as-of YYYY-MM-DD (skypilot), or put the day in its name.\n`,
  );
  assert.deepEqual(await market.state(), before);
  assert.match((await market.command('ingest', 'skypilot', undated, '--as-of', day)).stdout, /kept \(2025-03-10\)/);
  const own = await market.file('mine.csv', table(`${day} 2`));
  assert.equal((await market.ingest(observations, own))[0]?.kind, 'stored');
  for (const connector of allConnectors) {
    const says = (place: string): string | null => dayOfPlace(connector, place, null)?.toISOString() ?? null;
    assert.equal(says('https://example.org/list.csv'), null, connector.name);
    assert.equal(says('/data/list.2025-03-10.csv'), '2025-03-10T00:00:00.000Z', connector.name);
    if (connector.rowsSayDay) assert.equal(says('/data/list.csv'), null, connector.name);
    else assert.throws(() => says('/data/list.csv'), /Add --as-of YYYY-MM-DD/, connector.name);
  }
});

test('of two files of one archive that are the same part by their names the second does not take the place of the first', async (t) => {
  const market = await marketCommands(t);
  const [other, again] = [table('2025-03-11 3'), table(`${day} 4`)];
  const zip = zipOf({ 'a/prices.csv': table(`${day} 2`), 'b/prices.csv': other, 'c/prices.csv': again });
  const { code, stderr } = await market.command('ingest', 'observations', await market.file('all.zip', zip));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /c\/prices\.csv: repeats days of \S*all\.zip\/a\/prices\.csv and, judging by its name, is the same part/,
  );
  assert.deepEqual(await standing(market), [`${day} lambda 2`, '2025-03-11 lambda 3']);
});
