import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runpodGpuTypes } from '../../../../coordinator/ingest/connectors/runpod-gpu-types.ts';
import { failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('runpod-gpu-types.json');

test('a type has two offers on demand, secure and community; 0 is none', async () => {
  const { listings } = await readAll(runpodGpuTypes, sourceOf('runpod.json', fixed));
  assert.deepEqual(
    listings
      .filter(({ label }) => /H100|3070/.test(label))
      .map(({ label, offer, price, priceType, memoryGb, formFactor }) => [
        label,
        offer,
        price,
        priceType,
        memoryGb,
        formFactor,
      ]),
    [
      ['NVIDIA H100 80GB HBM3', 'secure', 3.49, 0, 80, 'SXM'],
      ['NVIDIA H100 80GB HBM3', 'community', 2.69, 0, 80, 'SXM'],
      ['NVIDIA GeForce RTX 3070', 'community', 0.13, 0, 8, null],
    ],
  );
});

test('0.5 is a placeholder where the other price says so, and a price where it lies in the usual ratio to it', async () => {
  const { listings, lines } = await readAll(runpodGpuTypes, sourceOf('runpod.json', fixed));
  const halves = listings.filter(({ price }) => price === 0.5).map(({ label }) => label);
  assert.deepEqual(halves, [
    'NVIDIA RTX PRO 4000 Blackwell',
    'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb',
  ]);
  assert.deepEqual(lines, [
    'runpod.json, row 2: a price that the provider shows if it has none (AMD Instinct MI300X OAM community 0.5)',
    'runpod.json, row 3: a price that the provider shows if it has none (NVIDIA RTX A2000 secure 0.5)',
    'runpod.json, row 7: no price in it (unknown)',
  ]);
});

test(
  'the whole list: every price above 0 is kept but the 0.5 outside a ratio of 1 to 1.5',
  { skip: withoutShared },
  async () => {
    const path = 'rental/provider-api-samples/runpod.graphql-gpuTypes.json';
    const { listings, refused } = await readShared(runpodGpuTypes, path);
    const { data } = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as {
      data: { gpuTypes: { id: string; securePrice: number; communityPrice: number }[] };
    };
    const kept: [string, string, number][] = [];
    let placeholders = 0;
    for (const { id, securePrice, communityPrice } of data.gpuTypes) {
      for (const [offer, price] of [['secure', securePrice] as const, ['community', communityPrice] as const]) {
        const ratio = communityPrice === 0 ? 0 : securePrice / communityPrice;
        if (price === 0.5 && !(ratio > 1 && ratio <= 1.5)) placeholders += 1;
        else if (price > 0) kept.push([id, offer, price]);
      }
    }
    assert.equal(data.gpuTypes.length, 48);
    assert.deepEqual(refused, { placeholder: placeholders, 'no-price': 1 });
    assert.deepEqual(
      listings.map(({ label, offer, price }) => [label, offer, price]),
      kept,
    );
    assert.deepEqual(
      kept.filter(([, , price]) => price === 0.5).map(([id]) => id),
      [
        'NVIDIA RTX PRO 4000 Blackwell',
        'NVIDIA RTX PRO 4500 Blackwell Server Edition',
        'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb',
      ],
    );
    assert.equal(placeholders, 9);
  },
);

test('an answer that is an error of the API is not a list', async () => {
  const answer = JSON.stringify({ errors: [{ message: 'rate limited' }], data: null });
  assert.match(await failure(runpodGpuTypes, sourceOf('r.json', answer)), /^r\.json: is not of this format: data: /);
});
