import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { marketCommands } from '../market/market-commands.ts';

const slug = 'nvidia-h100-sxm-80gb';
const rows = (day: string, prices: Record<string, number>, country = ''): string[] =>
  Object.entries(prices).map(([provider, price]) => `${day},${provider},H100 SXM,8,on_demand,${price},${country}`);

describe('the series of a product', async () => {
  const market = await marketCommands({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const header = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country';
  const content = [
    header,
    ...rows('2026-08-20', { Lambda: 2, Crusoe: 3, Nebius: 4 }, 'US'),
    ...rows('2026-08-21', { Lambda: 2.2, Crusoe: 3 }, 'US'),
    ...rows('2026-08-23', { Lambda: 2.2, Crusoe: 3, Nebius: 4, Vultr: 5 }),
  ].join('\n');
  await market.command('ingest', 'observations', await market.file('prices.csv', content), '--accept-coverage-drop');
  const series = (...argv: string[]) => market.command('ingest', 'series', ...argv);

  test('has each day’s price, what stands behind it, and the indices, of days on which quotes still hold too', async () => {
    const { stdout } = await series(slug, '2026-08-20', '2026-08-23');
    const cells = stdout
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/ {2,}/).join(' '));
    const start = (2 * 3 * 4) ** (1 / 3);
    const moved = (start * 1.1 ** (1 / 3)).toFixed(4);
    assert.deepEqual(cells, [
      'day mean median p10 p90 providers rows oldest status neo hs all',
      `2026-08-20 3.0000 3.0000 2.2000 3.8000 3 3 2026-08-20 ok ${start.toFixed(4)} - ${start.toFixed(4)}`,
      // Nebius is not read: its 4 is still quoted, and only Lambda's tenth moves the index
      `2026-08-21 2.6000 2.6000 2.2800 2.9200 2 2 2026-08-21 thin ${moved} - ${moved}`,
      `2026-08-22 - - - - - - - - ${moved} - ${moved}`,
      // Vultr joins at 5: the mean moves, the index does not
      `2026-08-23 3.5500 3.5000 2.4400 4.7000 4 4 2026-08-23 ok ${moved} - ${moved}`,
    ]);
  });

  test('of one country or another term has no index, and may have no price', async () => {
    assert.match(
      (await series(slug, '2026-08-21', '2026-08-23', '--country', 'us')).stdout,
      /, On-Demand, US, 2026-08-21 to 2026-08-23\n\nday .*\n2026-08-21  2\.6000 .*thin +- +- +-\n$/,
    );
    assert.match((await series(slug, '2026-08-20', '2026-08-23', '--type', '-1')).stdout, /no price of these days\n$/);
  });

  test('names the day, the option or the product that is wrong', async () => {
    for (const [argv, message] of [
      [[slug, '2026-8-20', '2026-08-23'], /The first day must be YYYY-MM-DD\./],
      [[slug, '2026-08-23', '2026-08-20'], /The last day must not be before the first day\./],
      [[slug, '2010-01-01', '2026-08-23'], /The last day must be within 3655 days of the first\./],
      [[slug, '2026-08-20', '2026-08-23', '--country', 'USA'], /--country must be two letters\./],
      [[slug, '2026-08-20', '2026-08-23', '--type', '7'], /--type must be one of -1 Rental Spot/],
      [['nothing', '2026-08-20', '2026-08-23'], /No product has the slug or id nothing\./],
    ] as const) {
      const { code, stderr } = await series(...argv);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});
