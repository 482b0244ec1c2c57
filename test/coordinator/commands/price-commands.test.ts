import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import { testApp } from '../../support/app.ts';
import { run } from '../../support/run-program.ts';
import { seedVotes } from '../../support/seed-votes.ts';
import { H100, smallMarket } from '../prediction/small-market.ts';

const app = await testApp({ after });
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const command = (...argv: string[]) => run(argv, environment);
const folder = await mkdtemp(join(tmpdir(), 'gpumark-prices-'));
after(() => rm(folder, { recursive: true }));

before(async () => {
  await fillMarket(app.context);
  const votes = smallMarket({ months: ['2026-08', '2026-09', '2026-10'] });
  const terms = votes
    .filter(({ provider, product, day }) => provider === 'p0' && product === H100 && day === '2026-10-15')
    .flatMap((vote) => [12, 36].map((price_type) => ({ ...vote, price_type, price: vote.price * 0.7 })));
  await seedVotes(app.platform.sql, [...votes, ...terms]);
});

test('forward: ratios of an operator, curves of business days, what is behind one', async () => {
  const file = join(folder, 'ratios.json');
  const entry = {
    vendor: 'aws',
    tenor_years: 1,
    price_ratio: 0.6,
    as_of: '2026-08-27',
    source_url: 'https://example.com/a',
  };
  await writeFile(file, JSON.stringify([entry]));
  assert.equal((await command('forward', 'ratios', file)).stdout, '1 ratios stored\n');
  for (const [change, message] of [
    [{ vendor: 'nobody' }, /No provider is called nobody/],
    [{ tenor_years: 2 }, /wrong at 0\.tenor_years/],
    [{ price_ratio: 1.2 }, /wrong at 0\.price_ratio/],
  ] as const) {
    await writeFile(file, JSON.stringify([{ ...entry, ...change }]));
    const { code, stderr } = await command('forward', 'ratios', file);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
  // Monday to Friday from the 15th, a Thursday, to the 14th of November: its rate is 30 days old then.
  const built = await command('forward', 'build', '--from', '2026-10-01', '--to', '2026-11-30');
  assert.equal(built.stdout, '22 curves of 22 days\n', built.stderr);
  assert.equal((await command('forward', 'build')).stdout, '0 curves of 0 days\n');
  const chart = join(folder, 'curve.svg');
  const explained = await command('forward', 'explain', H100, '2026-10-19', '--chart', chart);
  assert.match(explained.stdout, /p0 +2026-10-15 +standard +US +12 +1\.7850 +2\.5500 +0\.7000/);
  assert.match(
    await readFile(chart, 'utf8'),
    /^<svg .*<title>nvidia-h100-sxm-80gb, neoclouds, as of 2026-10-19.*that half month alone/s,
  );
  const none = await command('forward', 'explain', H100, '2026-10-18');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /has no forward curve for 2026-10-18/);
});

test('prediction: train, ask, backtest; train by its short name', async () => {
  const trained = await command('prediction', 'train');
  assert.equal(trained.code, 0, trained.stderr);
  assert.match(trained.stdout, /^2026-10-15-[0-9a-f]{12}: 72 votes of 12 providers up to 2026-10-15/);
  assert.match(trained.stdout, /it serves now\n$/);
  assert.match((await command('train')).stdout, /it is the one that serves already/);
  const chart = join(folder, 'price.svg');
  const asked = await command('prediction', 'ask', 'H100 SXM', '--country', 'us', '--gpus', '8', '--chart', chart);
  assert.equal((JSON.parse(asked.stdout) as { product_slug: string }).product_slug, H100);
  assert.match(await readFile(chart, 'utf8'), /^<svg .*p0/s);
  const refused = await command('prediction', 'ask', 'H100 SXM', '--country', 'JP');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /country no provider states a price of H100 in JP/);
  const { stdout } = await command('prediction', 'backtest', '--last-days', '30');
  assert.match(stdout, /^Leave one provider out, month by month, 2026-08-15 to 2026-10-15/);
  assert.match(stdout, /Last 30 days out: 24 votes of 12 providers/);
  assert.equal((await command('prediction', 'backtest', '--last-days', '0')).code, 1);
});

test('each says what it does', async () => {
  for (const [area, words] of [
    ['forward', /build .*\n[^]*explain [^]*ratios/],
    ['prediction', /train [^]*ask [^]*backtest/],
  ] as const) {
    const { code, stdout } = await command(area, '--help');
    assert.equal(code, 0);
    assert.match(stdout, words);
  }
});
