import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { marketCommands } from '../market/market-commands.ts';
import { seedDays } from '../tokens/token-app.ts';

const prices = fileURLToPath(new URL('../ingest/fixtures/neocloud-daily.csv', import.meta.url));

test('archive build makes the files of one area or of both, and again nothing', async (t) => {
  const market = await marketCommands(t);
  const said = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await market.command('archive', 'build', ...argv);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const days = ['2026-05-08', '2026-05-09', '2026-06-01'];
  const book = [{ source: 's', input: '1', output: '2' }];
  await seedDays(
    market,
    days.map((day) => ({ day, developer: 'd', name: 'm', book })),
  );
  // 3 days and 2 months of one row a day
  assert.equal(await said('--area', 'gpu'), '0 files built with 0 rows, 0 were there already\n');
  assert.equal(
    await said('--area', 'tokens', '--to', '2026-05-31'),
    '3 files built with 4 rows, 0 were there already\n',
  );
  assert.equal(await said('--area', 'tokens'), '2 files built with 2 rows, 3 were there already\n');
  assert.equal((await market.command('ingest', 'neocloud-daily', prices)).code, 0);
  // One day of two prices: day, month, quarter and year of two tiers; after the change tier 2 has them by kind of provider too.
  assert.match(await said(), /^8 files built with \d+ rows, 5 were there already\n$/);
  assert.equal(await said('--area', 'all'), '0 files built with 0 rows, 13 were there already\n');
});

test('an area that there is not and an invalid day are refused in a sentence', async (t) => {
  const { command } = await marketCommands(t);
  const area = await command('archive', 'build', '--area', 'carbon');
  assert.equal(area.code, 2);
  assert.match(area.stderr, /'carbon' is invalid. Allowed choices are gpu, tokens, forward, all/);
  const day = await command('archive', 'build', '--from', '2026-02-30');
  assert.deepEqual([day.code, day.stderr], [1, '--from and --to: must be YYYY-MM-DD\n']);
});
