import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketCommands } from './market-commands.ts';

const slug = 'nvidia-h100-sxm-80gb';
const header = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country,region,sku';
const explainPath = '/api/data-hub/gpu/explain';

interface Answer {
  data: { votes: { provider: string; own_level: number; own_days: number | null }[] };
}

describe('of how many votes the level is the median that a vote was held against', async () => {
  const market = await marketCommands({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const { sql } = market.platform;
  const row = (day: string, provider: string, price: string): string =>
    `2026-${day},${provider},H100 SXM,8,on_demand,${price},US,us-1,x`;
  const read = async (...rows: string[]) =>
    market.ingest(observations, await market.file('prices.csv', [header, ...rows].join('\n')), {
      acceptCoverageDrop: true,
    });
  const others = (day: string): string[] => [row(day, 'Lambda', '2.00'), row(day, 'Nebius', '4.20')];
  const ofCrusoe = [
    ...['07-20', '07-21', '07-22'].map((day) => row(day, 'Crusoe', '3.20')),
    ...['08-15', '08-23'].map((day) => row(day, 'Crusoe', '12.00')),
  ];
  await read(...ofCrusoe, ...['08-15', '08-22', '08-23'].flatMap(others));
  const { authorization: headers } = await makeUser(market, { tier: 'professional' });
  const product_id = await market.productId(slug);
  const votesOf = async (date: string) => {
    const { body } = await call(market, 'POST', explainPath, { body: { product_id, date }, headers });
    const { votes } = (body as unknown as Answer).data;
    return new Map(votes.map(({ provider, own_level, own_days }) => [provider, [own_level, own_days]]));
  };
  const lastOfBoth = async () => {
    const last = await votesOf('2026-08-23');
    return { Crusoe: last.get('Crusoe'), Lambda: last.get('Lambda') };
  };
  const stored = () => sql`select ctid, own_days from provider_price order by day, country, provider_id`;

  test('a level that stands because its provider was kept out has the count of the day that it was made on', async () => {
    assert.deepEqual((await votesOf('2026-08-15')).get('Crusoe'), [3.2, 3]);
    // From 24 July on Crusoe has only the vote of 15 August, which did not count: the level of that day stands, which is the
    // median of three votes, of 20, 21 and 22 July. Lambda has two, of 15 and 22 August.
    assert.deepEqual(await lastOfBoth(), { Crusoe: [3.2, 3], Lambda: [2, 2] });
  });

  test('a day that is read later is among the counts of the days after it, though the level is the same', async () => {
    await read(...ofCrusoe, ...['08-15', '08-16', '08-22', '08-23'].flatMap(others));
    assert.deepEqual(await lastOfBoth(), { Crusoe: [3.2, 3], Lambda: [2, 3] });
  });

  test('votes that were judged before it was kept have it counted, but for a level that stands; they are not written again', async () => {
    await sql`update provider_price set own_days = null`;
    // 15, 16 and 22 August; of Crusoe's level nothing is left within 30 days.
    assert.deepEqual(await lastOfBoth(), { Crusoe: [3.2, null], Lambda: [2, 3] });
    const before = await stored();
    await sql`update priced_day set rules = 1 where day = '2026-07-20'`;
    assert.equal(
      (await market.command('ingest', 'reprice')).stdout,
      '2026-07-20 to 2026-07-20\n1 day computed again\n',
    );
    const changed = (await stored()).filter(({ ctid }, at) => ctid !== before[at]?.['ctid']);
    // Crusoe's vote of 20 July, over all countries and in the United States, before which it had none.
    assert.deepEqual(
      changed.map(({ own_days }) => own_days),
      [null, null],
    );
  });
});
