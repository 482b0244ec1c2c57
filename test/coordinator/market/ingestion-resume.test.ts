import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { skypilot } from '../../../coordinator/ingest/connectors/skypilot.ts';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { etagServer } from '../../support/etag-server.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/zip-of.ts';
import { marketCommands } from './market-commands.ts';

const main = fileURLToPath(new URL('../../../coordinator/main.ts', import.meta.url));
const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
const table = (day: string, rows: number): string =>
  `${head}\n${`${day},Lambda,H100 SXM,8,on_demand,2.5\n`.repeat(rows)}`;

/** Rows that Postgres has taken of a COPY that has not ended; 0: none runs. */
async function copied(sql: Sql): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select coalesce(sum(tuples_processed), 0)::int4 as rows from pg_stat_progress_copy
    where datname = current_database()`;
  return row?.rows ?? 0;
}

test('killed while a file is on its way: the files before it stay, of it there is nothing, and the next run has all', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const rows = 150_000;
  const paths = [
    await market.file('first.csv', table('2025-03-01', 2)),
    await market.file('second.csv', table('2025-03-02', 3)),
    await market.file('third.csv', table('2025-03-03', rows)),
  ];
  const child = spawn(process.execPath, [main, 'ingest', 'observations', ...paths], {
    env: { ...market.environment, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const printed = text(child.stdout);
  await until('rows of the third file arrive', async () => (await copied(sql)) > 10, 5);
  child.kill('SIGKILL');
  assert.deepEqual((await ended)[1], 'SIGKILL');
  assert.equal(await printed, `${paths[0]}: 2 read, 2 kept (2025-03-01)\n${paths[1]}: 3 read, 3 kept (2025-03-02)\n`);
  await until('the server has noticed', async () => (await copied(sql)) === 0, 5);
  const daily = await sql`select day, price, sample_size from daily_price where country = '' order by day`;
  const [first, second] = [
    { day: '2025-03-01', price: 2.5, sample_size: 2 },
    { day: '2025-03-02', price: 2.5, sample_size: 3 },
  ];
  assert.deepEqual([...daily], [first, second]);
  assert.deepEqual([...(await sql`select count(*)::int4 as n from observation`)], [{ n: 5 }]);
  assert.deepEqual([...(await sql`select count(*)::int4 as n from ingest_run`)], [{ n: 2 }]);

  const again = await market.command('ingest', 'observations', ...paths);
  assert.deepEqual([again.code, again.stderr], [0, '']);
  const lines = again.stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /first\.csv: read before \(.* UTC, 2 observations\); --again reads it once more$/);
  assert.match(lines[1] ?? '', /second\.csv: read before \(.* UTC, 3 observations\)/);
  assert.equal(lines[2], `${paths[2]}: ${rows} read, ${rows} kept (2025-03-03)`);
  assert.deepEqual(
    [...(await sql`select day, price, sample_size from daily_price where country = '' order by day`)],
    [first, second, { day: '2025-03-03', price: 2.5, sample_size: rows }],
  );
});

test('a database that goes away while a file is on its way: one line that names the file, and nothing is kept', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const path = await market.file('prices.csv', table('2025-03-03', 150_000));
  const before = await market.state();
  const running = market.command('ingest', 'observations', path);
  await until('rows arrive', async () => (await copied(sql)) > 10, 5);
  await sql`select pg_terminate_backend(pid) from pg_stat_progress_copy where datname = current_database()`;
  const { code, stdout, stderr } = await running;
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^[^\n]+prices\.csv: cannot be stored, and nothing of it is \([^\n]+\)\n$/);
  assert.deepEqual(await market.state(), before);
});

test('an address whose file has not changed is not sent again, but for --again and for another day', async (t) => {
  const market = await marketCommands(t);
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: table('2025-03-01', 2) }));
  const place = `${url}/prices.csv`;
  const ingest = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await market.command(
      'ingest',
      'observations',
      '--allow-private-addresses',
      place,
      ...argv,
    );
    assert.deepEqual([code, stderr], [0, '']);
    return stdout.slice(place.length).trimEnd();
  };
  assert.equal(await ingest(), ': 2 read, 2 kept (2025-03-01)');
  assert.equal(await ingest(), ': has not changed since it was read last; nothing to do');
  assert.equal(
    await ingest('--again'),
    ': 2 read, 2 kept (2025-03-01)\n         2 earlier observations of these days replaced',
  );
  // Its rows have days of their own, so that another day makes no difference; this is known only once it is read.
  assert.match(await ingest('--as-of', '2025-03-02'), /^: read before /);
  assert.equal(await ingest(), ': has not changed since it was read last; nothing to do');
  assert.deepEqual(asked, [undefined, '"v1"', undefined, undefined, '"v1"']);
});

test('one list under one address as the prices of two providers is read for each', async (t) => {
  const market = await marketCommands(t);
  const columns = 'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice';
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: `${columns}\nh100x8,H100-SXM,8,,,,16,\n` }));
  const kinds: string[] = [];
  for (const provider of ['lambda', 'crusoe', 'lambda', 'crusoe']) {
    const [report] = await market.ingest(skypilot, `${url}/list.csv`, { provider });
    kinds.push(report?.kind ?? '');
  }
  assert.deepEqual(kinds, ['stored', 'stored', 'unchanged', 'unchanged']);
  assert.deepEqual(asked, [undefined, undefined, '"v1"', '"v1"']);
  const [row] = await market.platform.sql`select price, provider_count from daily_price where country = ''`;
  assert.deepEqual(row, { price: 16 / 8, provider_count: 2 });
});

test('an archive of which one file could not be read is sent again, until all of it is in', async (t) => {
  const market = await marketCommands(t);
  const good = table('2025-03-01', 2);
  const archive = { 'first.csv': good, 'second.csv': 'a,b\n1,2\n' };
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: zipOf(archive) }));
  const place = `${url}/all.zip`;
  for (const turn of [1, 2]) {
    const { code, stdout, stderr } = await market.command('ingest', 'observations', '--allow-private-addresses', place);
    assert.equal(code, 1);
    assert.match(stdout, turn === 1 ? /first\.csv: 2 read, 2 kept/ : /first\.csv: read before/);
    assert.match(stderr, /^http:\S+\/all\.zip\/second\.csv: is not of this format: [^\n]+\n$/);
  }
  archive['second.csv'] = good;
  assert.equal((await market.command('ingest', 'observations', '--allow-private-addresses', place)).code, 0);
  const { stdout } = await market.command('ingest', 'observations', '--allow-private-addresses', place);
  assert.equal(stdout, `${place}: has not changed since it was read last; nothing to do\n`);
  assert.deepEqual(asked, [undefined, undefined, undefined, '"v1"']);
});

test('an ETag of a reading that another file has taken the place of is not sent', async (t) => {
  const market = await marketCommands(t);
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: table('2025-03-01', 2) }));
  await market.ingest(observations, `${url}/prices.csv`);
  await market.ingest(observations, await market.file('prices.csv', table('2025-03-01', 3)));
  const [again] = await market.ingest(observations, `${url}/prices.csv`, { acceptCoverageDrop: true });
  assert.equal(again?.kind, 'stored');
  assert.deepEqual(asked, [undefined, undefined]);
});
