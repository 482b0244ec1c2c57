import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Listing } from '../../../../coordinator/ingest/listing.ts';
import { primeIntellect } from '../../../../coordinator/ingest/connectors/prime-intellect.ts';
import { failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('prime-intellect.jsonl');

test("a provider's mean is one price of the upstream, at the time of the snapshot", async () => {
  const { listings } = await readAll(primeIntellect, sourceOf('h100.jsonl', fixed));
  assert.deepEqual(
    listings
      .filter(({ offer }) => offer?.startsWith('mean'))
      .map(({ provider, price, offer, priceType, gpuCount, clusterSize }) => [
        provider,
        price,
        offer,
        priceType,
        gpuCount,
        clusterSize,
      ]),
    [
      ['runpod', 2.71, 'mean of 5 offers', 0, 1, 1],
      ['primecompute', 1.4, 'mean of 4 offers', 0, 1, 1],
      ['dc_roan', 2.09, 'mean of 20 offers', 0, 1, 1],
    ],
  );
  const [first] = listings;
  assert.deepEqual(
    [first?.label, first?.formFactor, first?.observedAt.toISOString()],
    ['H100 80GB', 'SXM', '2025-10-20T02:08:04.484Z'],
  );
});

const doubted = (listings: readonly Listing[]): unknown[] =>
  listings.filter(({ doubt }) => doubt).map(({ provider, price, doubt }) => [provider, price, doubt]);

test('the mean of a provider that has spot offers among the best deals is a mean of both terms and doubted', async () => {
  const { listings } = await readAll(primeIntellect, sourceOf('h100.jsonl', fixed));
  assert.deepEqual(doubted(listings), [['primecompute', 1.4, 'mixed-terms']]);
});

test('so is one whose cheapest offer is far below it, though no best deal tells', async () => {
  const text = fixed.replace('"spot": true', '"spot": false');
  const { listings } = await readAll(primeIntellect, sourceOf('h100.jsonl', text));
  assert.deepEqual(doubted(listings), [['primecompute', 1.4, 'mixed-terms']]);
});

test('means and best deals do not state the machine; a best deal is a minimum', async () => {
  const { listings } = await readAll(primeIntellect, sourceOf('h100.jsonl', fixed));
  assert.deepEqual(
    listings.map(({ offer, isUnsized = false, segment = null }) => [offer, isUnsized, segment]),
    [
      ['mean of 5 offers', true, null],
      ['mean of 4 offers', true, null],
      ['mean of 20 offers', true, null],
      ['8x best deal', false, 'minimum'],
      ['16x best deal', false, 'minimum'],
    ],
  );
});

test('of the best deals spot offers and clusters are taken, with country and number of machines', async () => {
  const { listings } = await readAll(primeIntellect, sourceOf('h100.jsonl', fixed));
  assert.deepEqual(
    listings
      .filter(({ offer }) => offer?.endsWith('best deal'))
      .map(({ provider, country, priceType, price, gpuCount, clusterSize }) => [
        provider,
        country,
        priceType,
        price,
        gpuCount,
        clusterSize,
      ]),
    [
      ['primecompute', 'US', -1, 1, 8, 1],
      ['dc_roan', 'US', 0, 1.99, 8, 2],
    ],
  );
});

for (const gpu of [
  'A100_80GB_PCIe',
  'A100_80GB_SXM4',
  'B200_180GB',
  'GH200_96GB',
  'H100_80GB_PCIe',
  'H100_80GB_SXM5',
  'H200_141GB',
]) {
  test(
    `${gpu}: every mean and every cluster or spot deal of the file is kept or refused`,
    { skip: withoutShared },
    async () => {
      const path = `rental/primeintellect-summary/${gpu}.jsonl.gz`;
      const { listings, refused } = await readShared(primeIntellect, path);
      const kept = { means: 0, doubted: 0, spot: 0, clusters: 0 };
      interface Snapshot {
        by_provider: Record<string, { min: number; avg: number }>;
        by_config: Record<string, { best_deal?: { provider: string; spot: boolean } }>;
      }
      for (const line of gunzipSync(readFileSync(sharedPath(path)))
        .toString()
        .trim()
        .split('\n')) {
        const { by_provider, by_config } = JSON.parse(line) as Snapshot;
        const spot = Object.values(by_config).flatMap(({ best_deal: best }) =>
          best?.spot === true ? [best.provider] : [],
        );
        for (const [provider, { min, avg }] of Object.entries(by_provider)) {
          kept.means += 1;
          if (spot.includes(provider) || (provider === 'primecompute' && min === 1 && avg > 1)) kept.doubted += 1;
        }
        kept.spot += spot.length;
        kept.clusters += Object.entries(by_config).filter(
          ([size, { best_deal: best }]) => best?.spot === false && Number.parseInt(size) > 8,
        ).length;
      }
      assert.deepEqual(refused, {});
      assert.deepEqual(
        {
          means: listings.filter(({ offer }) => offer?.startsWith('mean')).length,
          doubted: doubted(listings).length,
          spot: listings.filter(({ priceType }) => priceType === -1).length,
          clusters: listings.filter(({ clusterSize }) => clusterSize > 1).length,
        },
        kept,
      );
      assert.ok(
        listings.every(({ gpuCount, clusterSize }) => Number.isInteger(gpuCount) && Number.isInteger(clusterSize)),
      );
    },
  );
}

test('a line of another shape or cut off is an error with its number', async () => {
  assert.match(
    await failure(primeIntellect, sourceOf('h.jsonl', `${fixed}{"timestamp": 3}\n`)),
    /^h\.jsonl, row 2: is not of this format: timestamp: /,
  );
  assert.match(
    await failure(primeIntellect, sourceOf('h.jsonl', fixed + fixed.slice(0, 200))),
    /^h\.jsonl, row 2: is cut off/,
  );
});

test('an invalid time, and a negative mean, are refused with the row', async () => {
  const text = fixed.replace('2025-10-20T', '2025-20-10T').split('"by_config": {')[0] ?? '';
  const { lines } = await readAll(primeIntellect, sourceOf('h.jsonl', `${text}"by_config": {}}\n`));
  assert.equal(
    lines[0],
    'h.jsonl, row 1: the date is missing or in the future (date 2025-20-10T02:08:04.484281+00:00)',
  );
  const negative = await readAll(primeIntellect, sourceOf('h.jsonl', fixed.replace('"avg": 2.71', '"avg": -2.71')));
  assert.equal(negative.lines[0], 'h.jsonl, row 1: the price is not a number above 0 (price -2.71)');
});
