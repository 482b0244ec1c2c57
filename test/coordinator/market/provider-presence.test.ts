import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { marketApp, type MarketApp } from './filled-market.ts';

const head = 'date,provider,gpu_model,gpu_count,country,pricing,usd_per_gpu_hour';

/** Each line of `offers`: day, provider, model, country. Files of one name are of one part of the source. */
async function ingest(market: MarketApp, name: string, offers: readonly string[]): Promise<void> {
  const rows = offers.map((offer) => {
    const [day, provider, model, country] = offer.split(' ');
    return `${day},${provider},${model} SXM,8,${country},on_demand,2.5`;
  });
  const path = join(market.platform.config.dataDir, `${name}.csv`);
  await writeFile(path, `${[head, ...rows].join('\n')}\n`);
  await market.ingest(observations, path, { acceptCoverageDrop: true });
}

type Provider = Record<'id' | 'countries' | 'product_count' | 'first_seen' | 'last_seen', unknown>;

async function providers(market: MarketApp): Promise<unknown[]> {
  market.clock.advance({ seconds: 1 });
  const { results } = await market.post('/api/data-hub/gpu/partner/provider-list');
  return (results as Provider[]).map(({ id, countries, product_count, first_seen, last_seen }) => [
    id,
    countries,
    product_count,
    first_seen,
    last_seen,
  ]);
}

test('a provider is listed with its countries, products, first and last day over all readings', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-08-24T12:00:00Z') });
  await ingest(market, 'one', ['2026-08-20 Lambda H100 US', '2026-08-21 Lambda H100 DE', '2026-08-21 Crusoe H200 US']);
  await ingest(market, 'two', ['2025-12-31 Lambda H200 US', '2026-08-22 Crusoe H200 US']);
  assert.deepEqual(await providers(market), [
    ['crusoe', ['US'], 1, '2026-08-21', '2026-08-22'],
    ['lambda', ['DE', 'US'], 2, '2025-12-31', '2026-08-21'],
  ]);
});

test('days that are read again without it take it away, and its first and last day are looked for again', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-08-24T12:00:00Z') });
  const lambda = ['2026-08-18', '2026-08-19', '2026-08-20', '2026-08-21'].map((day) => `${day} Lambda H100 US`);
  await ingest(market, 'one', [...lambda, '2026-08-20 Crusoe H200 US']);
  const crusoe = ['2026-08-18 Crusoe H200 FR', '2026-08-21 Crusoe H200 FR'];
  await ingest(market, 'one', crusoe);
  assert.deepEqual(await providers(market), [
    ['crusoe', ['FR', 'US'], 1, '2026-08-18', '2026-08-21'],
    ['lambda', ['US'], 1, '2026-08-19', '2026-08-20'],
  ]);
  await ingest(market, 'one', ['2026-08-19 Crusoe H200 FR', '2026-08-20 Crusoe H200 FR']);
  assert.deepEqual(await providers(market), [['crusoe', ['FR'], 1, '2026-08-18', '2026-08-21']]);
});
