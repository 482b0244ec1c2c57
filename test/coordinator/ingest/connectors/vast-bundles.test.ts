import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { vastBundles } from '../../../../coordinator/ingest/connectors/vast-bundles.ts';
import { failure, fixture, near, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('vast-bundles.json');

test('a machine that is offered whole and in parts is one offer: the whole machine, by its GPUs', async () => {
  const { listings, reads } = await readAll(vastBundles, sourceOf('vast.json', fixed));
  const [h100] = listings;
  near(h100?.price, 2);
  assert.deepEqual(
    [h100?.label, h100?.gpuCount, h100?.memoryGb, h100?.country, h100?.region, h100?.offer],
    ['H100 SXM', 8, 79.6, 'US', 'Texas, US', 'machine 501'],
  );
  assert.deepEqual(
    reads.filter((read) => 'refused' in read && read.refused === 'same-machine').map(({ row }) => row),
    [1, 3],
  );
});

test('unverified offers, offers without a count or a price are refused; the country stands behind the last comma', async () => {
  const { listings, lines } = await readAll(vastBundles, sourceOf('vast.json', fixed));
  assert.deepEqual(
    lines.filter((line) => !line.includes('in parts')),
    [
      'vast.json, row 4: an offer that the marketplace has not verified (1 x RTX 4090, machine 502)',
      'vast.json, row 6: does not say how many accelerators the price is for (A100 PCIE)',
      'vast.json, row 7: no price in it (1 x L40S, machine 505)',
    ],
  );
  assert.equal(listings.find(({ label }) => label === 'RTX 4090')?.country, 'CN');
});

test('an unverified part of a verified machine does not stand for it', async () => {
  const offers = [
    { machine_id: 1, gpu_name: 'H200', num_gpus: 8, dph_total: 16, verified: false },
    { machine_id: 1, gpu_name: 'H200', num_gpus: 4, dph_total: 10, verified: true },
    { machine_id: 1, gpu_name: 'H200', num_gpus: 4, dph_total: 9, verified: true },
  ];
  const { listings, refused } = await readAll(vastBundles, sourceOf('vast.json', JSON.stringify(offers)));
  assert.deepEqual(
    listings.map(({ price }) => price),
    [2.25],
  );
  assert.deepEqual(refused, { unverified: 1, 'same-machine': 1 });
});

test('the sample has no machine ids: all its offers stay', { skip: withoutShared }, async () => {
  const path = 'rental/provider-api-samples/vast.search-asks.json';
  const { listings, refused } = await readShared(vastBundles, path);
  const offers = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as {
    gpu_name: string;
    num_gpus: number;
    dph_total: number;
  }[];
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ label, gpuCount, price }) => [label, gpuCount, price]),
    offers.map(({ gpu_name, num_gpus, dph_total }) => [gpu_name, num_gpus, dph_total / num_gpus]),
  );
  assert.equal(offers.length, 38);
});

test('other documents, and a negative price, are refused by place and row', async () => {
  assert.match(
    await failure(vastBundles, sourceOf('v.json', '[{"gpu": "H100"}]')),
    /^v\.json, row 1: is not of this format: \[0\]\.gpu_name: /,
  );
  const { lines } = await readAll(
    vastBundles,
    sourceOf('v.json', '[{"gpu_name": "H100", "num_gpus": 1, "dph_total": -2}]'),
  );
  assert.deepEqual(lines, ['v.json, row 1: the price is not a number above 0 (price -2)']);
});
