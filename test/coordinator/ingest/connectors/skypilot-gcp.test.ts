import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skypilot } from '../../../../coordinator/ingest/connectors/skypilot.ts';
import { fixture, near, readAll, readShared, sourceOf, withoutShared } from '../read-source.ts';

const gcp = fixture('skypilot.gcp.vms.csv');

test("Google's machines have their price in two rows: host and accelerators of one zone, added up", async () => {
  const { listings } = await readAll(skypilot, sourceOf('gcp/vms.csv', gcp));
  const a100 = listings.filter(({ offer }) => offer === 'a2-highgpu-8g');
  assert.deepEqual(
    a100.map(({ label, memoryGb, formFactor, gpuCount, region, priceType }) => [
      label,
      memoryGb,
      formFactor,
      gpuCount,
      region,
      priceType,
    ]),
    [
      ['NVIDIA A100', 40, 'SXM', 8, 'us-central1', 0],
      ['NVIDIA A100', 40, 'SXM', 8, 'us-central1', -1],
    ],
  );
  near(a100[0]?.price, (5.91582 + 23.47131) / 8);
  near(a100[1]?.price, (2.958 + 9.38856) / 8);
});

test('a second zone of the region with the same price is not a second price', async () => {
  const { reads } = await readAll(skypilot, sourceOf('gcp/vms.csv', gcp));
  const second = reads.filter(({ row }) => row === 2);
  assert.deepEqual(
    second.map((read) => ('refused' in read ? read.refused : 'kept')),
    ['same-in-every-zone', 'same-in-every-zone'],
  );
});

test('a half without the other is refused: the host alone, accelerators of another size, accelerators for any N1 machine', async () => {
  const { lines } = await readAll(skypilot, sourceOf('gcp/vms.csv', gcp));
  assert.ok(
    lines.includes(
      'gcp/vms.csv, row 3: the price of the host alone, its accelerators are not in the file (a2-highgpu-8g europe-west4-a)',
    ),
  );
  const without = lines.filter((line) => line.includes('accelerators alone'));
  assert.deepEqual(
    without.map((line) => /row (\d+).*\((.*)\)/.exec(line)?.slice(1)),
    [
      ['8', '4 A100 us-central1-a'],
      ['10', '1 T4 us-central1-a'],
    ],
  );
});

test('a spot price of 0 of one half leaves the sum unknown', async () => {
  const { listings, reads } = await readAll(skypilot, sourceOf('gcp/vms.csv', gcp));
  const mega = listings.filter(({ offer }) => offer === 'a3-megagpu-8g');
  assert.equal(mega.length, 1);
  near(mega[0]?.price, (9.46006 + 78.9) / 8);
  assert.ok(reads.some((read) => read.row === 4 && 'refused' in read && read.refused === 'unknown-spot'));
});

test('a TPU slice is priced by the chip, and the price that stands for an unknown one is refused', async () => {
  const { listings, reads } = await readAll(skypilot, sourceOf('gcp/vms.csv', gcp));
  const tpu = listings.filter(({ label }) => label === 'TPU v3');
  assert.deepEqual(
    tpu.map(({ gpuCount, price, priceType }) => [gpuCount, price, priceType]),
    [
      [16, 2, 0],
      [16, 0.6, -1],
    ],
  );
  assert.ok(reads.some((read) => read.row === 12 && 'refused' in read && read.refused === 'placeholder'));
});

test('the sample has hosts only: none of them becomes a price', { skip: withoutShared }, async () => {
  const { listings, refused } = await readShared(skypilot, 'rental/skypilot-catalog-v8/gcp.vms.sample.csv');
  assert.deepEqual([listings.length, refused], [0, { 'host-only': 10 }]);
});
