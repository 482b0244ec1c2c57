import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { explainPriceRequest } from '../../../coordinator/contract/price-evidence.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { explainPublished, votesPublished } from '../../../coordinator/market/price-evidence.ts';
import { marketApp } from './filled-market.ts';

const source = `date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country
2026-08-22,Lambda,H100 SXM,8,on_demand,2.00,US
2026-08-22,Crusoe,H100 SXM,8,on_demand,3.20,US
2026-08-22,Nebius,H100 SXM,8,on_demand,4.20,FI
2026-08-23,Lambda,H100 SXM,8,on_demand,2.10,US
2026-08-23,Crusoe,H100 SXM,8,on_demand,25.60,US
`;

test('the votes of a day alone are those of its whole explanation, and neither rows nor indices are read for them', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const file = join(market.platform.config.dataDir, 'prices.csv');
  await writeFile(file, source);
  await market.ingest(observations, file);
  const { context } = market;
  const known = await hotMarket(context)();
  let statements = 0;
  const counted = new Proxy(context.sql, {
    apply: (target, self, given) => {
      statements += 1;
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  const product_id = await market.productId('nvidia-h100-sxm-80gb');
  for (const [date, country, count] of [
    ['2026-08-23', 'WW', 2],
    ['2026-08-22', 'FI', 1],
    ['2026-08-22', 'DE', 0],
  ] as const) {
    const request = explainPriceRequest.parse({ product_id, date, country });
    const { price, votes } = await explainPublished(context, known, request);
    assert.equal(votes.length, count);
    statements = 0;
    assert.deepEqual(await votesPublished({ ...context, sql: counted }, known, request), { price, votes });
    assert.equal(statements, 2);
  }
});
