import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketCommands } from './market-commands.ts';

const slug = 'nvidia-h100-sxm-80gb';
const header = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country,region,sku';
const explainPath = '/api/data-hub/gpu/explain';

interface Answer {
  data: { votes: { provider: string; own_level: number; own_days: number | null }[] };
}

test('a level that stands because its provider was kept out is of none of the last 30 days', async () => {
  const market = await marketCommands({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const row = (day: string, provider: string, price: string): string =>
    `2026-${day},${provider},H100 SXM,8,on_demand,${price},US,us-1,x`;
  const rows = [
    ...['07-20', '07-21', '07-22'].map((day) => row(day, 'Crusoe', '3.20')),
    row('08-15', 'Crusoe', '12.00'),
    ...['08-15', '08-22', '08-23'].flatMap((day) => [row(day, 'Lambda', '2.00'), row(day, 'Nebius', '4.20')]),
    row('08-23', 'Crusoe', '12.00'),
  ];
  await market.ingest(observations, await market.file('prices.csv', [header, ...rows].join('\n')), {
    acceptCoverageDrop: true,
  });
  const { authorization: headers } = await makeUser(market, { tier: 'professional' });
  const product_id = await market.productId(slug);
  const votesOf = async (date: string) => {
    const { body } = await call(market, 'POST', explainPath, { body: { product_id, date }, headers });
    const { votes } = (body as unknown as Answer).data;
    return new Map(votes.map(({ provider, own_level, own_days }) => [provider, [own_level, own_days]]));
  };
  assert.deepEqual((await votesOf('2026-08-15')).get('Crusoe'), [3.2, 3]);
  const last = await votesOf('2026-08-23');
  // From 24 July on Crusoe has only the vote of 15 August, which did not count; Lambda has those of the 15th and the 22nd.
  assert.deepEqual(
    [last.get('Crusoe'), last.get('Lambda')],
    [
      [3.2, null],
      [2, 2],
    ],
  );
});
