import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gpuhuntTpu } from '../../../../coordinator/ingest/connectors/gpuhunt-tpu.ts';
import { count, failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

test('a generation and a region have a price on demand and one for spot, for a chip; spot above on demand is refused', async () => {
  const { listings, lines } = await readAll(gpuhuntTpu, sourceOf('tpu.json', fixture('gpuhunt-tpu.json')));
  assert.deepEqual(
    listings.map(({ label, provider, region, priceType, price, gpuCount }) => [
      label,
      provider,
      region,
      priceType,
      price,
      gpuCount,
    ]),
    [
      ['TPU v6e', 'GCP', 'us-east1', 0, 2.7, 1],
      ['TPU v6e', 'GCP', 'us-east1', -1, 1.89, 1],
      ['TPU v3 pod', 'GCP', 'europe-west4', 0, 2, 1],
    ],
  );
  assert.deepEqual(lines, [
    'tpu.json, row 2: a spot price above the price on demand is not one that is paid (TPU v3 pod 2.64)',
  ]);
});

test('the whole table', { skip: withoutShared }, async () => {
  const path = 'rental/gpuhunt/tpu_pricing.json';
  const { listings, refused } = await readShared(gpuhuntTpu, path);
  const table = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as Record<
    string,
    Record<string, Record<string, number>>
  >;
  const expected: Record<string, number> = {};
  let kept = 0;
  for (const prices of Object.values(table).flatMap((regions) => Object.values(regions))) {
    const [onDemand = NaN, spot = NaN] = [prices['On Demand (USD)'], prices['Spot (USD)']];
    kept += 1 + Number(spot < onDemand);
    count(expected, 'spot-above-on-demand', Number(spot > onDemand));
  }
  assert.deepEqual([listings.length, refused], [kept, expected]);
  assert.equal(kept + (expected['spot-above-on-demand'] ?? 0), 2 * 21);
});

test('another document is refused by its first key', async () => {
  assert.match(
    await failure(gpuhuntTpu, sourceOf('t.json', '{"H100": {}}')),
    /^t\.json: is not of this format: H100: /,
  );
});
