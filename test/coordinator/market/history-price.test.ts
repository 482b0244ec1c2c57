import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { marketApp } from './filled-market.ts';

test('a range that touches three quarters has every day once, the newest first, whichever page is asked for', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-03-31', '2026-04-01'];
  const rows = days.flatMap((day, at) => [
    `${day},Lambda,H100 SXM,8,${2 + at / 10},on_demand,US`,
    `${day},Nebius,H100 SXM,8,${3 + at / 10},on_demand,FI`,
  ]);
  const file = join(market.platform.config.dataDir, 'prices.csv');
  await writeFile(file, ['date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing,country', ...rows, ''].join('\n'));
  await market.ingest(observations, file);
  const product_id = await market.productId('nvidia-h100-sxm-80gb');
  const history = async (asked: object) => {
    const { total, results } = (await market.post('/api/data-hub/gpu/history/price', {
      product_id,
      price_type: 0,
      start_date: '2025-12-31',
      end_date: '2026-03-31',
      ...asked,
    })) as unknown as { total: number; results: { date: string; country: string; price: number }[] };
    return { total, rows: results.map(({ date, country, price }) => `${date} ${country} ${price}`) };
  };
  assert.deepEqual(await history({ country: 'us' }), {
    total: 3,
    rows: ['2026-03-31 US 2.3', '2026-01-01 US 2.2', '2025-12-31 US 2.1'],
  });
  assert.deepEqual(await history({ start_date: '2026-01-01', end_date: '2026-04-01', country: 'WW' }), {
    total: 3,
    rows: ['2026-04-01 WW 2.9', '2026-03-31 WW 2.8', '2026-01-01 WW 2.7'],
  });
  assert.deepEqual(await history({ country: 'us', num_per_page: 2, page_num: 2 }), {
    total: 3,
    rows: ['2025-12-31 US 2.1'],
  });
});
