import assert from 'node:assert/strict';
import { test } from 'node:test';
import { azureRetail } from '../../../../coordinator/ingest/connectors/azure-retail.ts';
import { failure, fixture, near, readAll, readShared, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('azure-retail.json');

test('a reservation is a total: the price of an hour is it by the hours of its years', async () => {
  const { listings } = await readAll(azureRetail, sourceOf('azure.json', fixed));
  const of = (type: number): number | undefined => listings.find(({ priceType }) => priceType === type)?.price;
  near(of(12), 22600 / 8760);
  near(of(36), 90000 / 26280 / 2);
});

test('spot stands in the name of the meter only, and one equal to the price on demand, in another page too, is refused', async () => {
  const { listings, reads } = await readAll(azureRetail, sourceOf('azure.json', fixed));
  const spot = listings.filter(({ priceType }) => priceType === -1);
  assert.deepEqual(
    spot.map(({ region, price }) => [region, price]),
    [['uksouth', 1.1]],
  );
  assert.ok(reads.some((read) => read.row === 5 && 'refused' in read && read.refused === 'capped-spot'));
});

test('Low Priority, Windows, dev/test, other units, machines without GPUs and those we cannot count are refused', async () => {
  const { refused } = await readAll(azureRetail, sourceOf('azure.json', fixed));
  assert.deepEqual(refused, {
    'other-terms': 1,
    'low-priority': 1,
    'other-system': 1,
    'unknown-count': 1,
    'no-accelerator': 1,
    'other-unit': 1,
    'capped-spot': 1,
  });
});

test('label, memory, form factor and count are those of the machine size; a sixth of an A10 costs a sixth', async () => {
  const { listings } = await readAll(azureRetail, sourceOf('azure.json', fixed));
  const a10 = listings.find(({ offer }) => offer === 'Standard_NV6ads_A10_v5');
  near(a10?.price, 0.454 * 6);
  const amd = listings.find(({ offer }) => offer === 'Standard_ND96isr_MI300X_v5');
  assert.deepEqual(
    [amd?.label, amd?.memoryGb, amd?.formFactor, amd?.gpuCount, amd?.currency, amd?.price],
    ['AMD MI300X', 192, 'OAM', 8, 'EUR', 6.4],
  );
});

test('items alone, one page and several pages are the same to it', async () => {
  const pages = JSON.parse(fixed) as { Items: unknown[] }[];
  const whole = await readAll(azureRetail, sourceOf('azure.json', fixed));
  const items = await readAll(azureRetail, sourceOf('azure.json', JSON.stringify(pages.flatMap(({ Items }) => Items))));
  const one = await readAll(azureRetail, sourceOf('azure.json', JSON.stringify(pages[0])));
  assert.deepEqual(items.reads, whole.reads);
  assert.deepEqual(one.reads, whole.reads.slice(0, 4));
});

test(
  'of the sample of 29 items 20 have a price, shared by the GPUs of the machine',
  { skip: withoutShared },
  async () => {
    const { listings, refused } = await readShared(
      azureRetail,
      'rental/provider-api-samples/azure.retail-prices-items.json',
    );
    assert.deepEqual(refused, { 'other-system': 6, 'low-priority': 3 });
    // Machine, region, price type, price of the machine as in the sample, accelerators by Azure's page of the size.
    const expected: [string, string, number, machine: number, accelerators: number][] = [
      ['Standard_NC24ads_A100_v4', 'westus3', 0, 3.673, 1],
      ['Standard_NC40ads_H100_v5', 'uaenorth', 0, 9.98, 1],
      ['Standard_NC40ads_H100_v5', 'uaenorth', -1, 1.844304, 1],
      ['Standard_NC48ads_A100_v4', 'eastus', 0, 7.346, 2],
      ['Standard_NC48ads_A100_v4', 'eastus2', 0, 7.346, 2],
      ['Standard_NC80adis_H100_v5', 'malaysiawest', -1, 3.650426, 2],
      ['Standard_NC80adis_H100_v5', 'uksouth', 0, 17.45, 2],
      ['Standard_NC96ads_A100_v4', 'japaneast', 0, 21.303, 4],
      ['Standard_ND96amsr_A100_v4', 'italynorth', 0, 40.962, 8],
      ['Standard_ND96amsr_A100_v4', 'westeurope', 0, 40.962, 8],
      ['Standard_ND96amsr_A100_v4', 'westeurope', -1, 10.551811, 8],
      ['Standard_ND96asr_v4', 'eastus', -1, 5.904469, 8],
      ['Standard_ND96isr_H100_v5', 'eastus', 0, 98.32, 8],
      ['Standard_ND96isr_H100_v5', 'japaneast', 0, 142.564, 8],
      ['Standard_ND96isr_H100_v5', 'spaincentral', -1, 23.620397, 8],
      ['Standard_ND96isr_H100_v5', 'westus3', 0, 98.32, 8],
      ['Standard_ND96isr_H200_v5', 'uksouth', -1, 106, 8],
      ['Standard_ND96isr_H200_v5', 'usgovvirginia', 0, 106, 8],
      ['Standard_ND96isr_MI300X_v5', 'centralus', -1, 10.910777, 8],
      ['Standard_ND96isr_MI300X_v5', 'northeurope', 0, 57.6, 8],
    ];
    const order = (one: unknown[], other: unknown[]): number => (String(one) < String(other) ? -1 : 1);
    assert.deepEqual(
      listings.map(({ offer, region, priceType, price }) => [offer, region, priceType, price]).toSorted(order),
      expected.map(([offer, region, type, machine, gpus]) => [offer, region, type, machine / gpus]).toSorted(order),
    );
    assert.equal(listings.find(({ offer }) => offer === 'Standard_NC40ads_H100_v5')?.label, 'NVIDIA H100 NVL');
  },
);

test('an item of another shape is refused by page, place and row', async () => {
  const broken = fixed.replace('"retailPrice": 90000', '"retailPrice": "much"');
  assert.match(
    await failure(azureRetail, sourceOf('azure.json', broken)),
    /^azure\.json, row 3: is not of this format: \[0\]\.Items\[2\]\.retailPrice: /,
  );
});

test('a negative price is refused with its row', async () => {
  const { lines } = await readAll(
    azureRetail,
    sourceOf('azure.json', fixed.replace('"retailPrice": 0.454', '"retailPrice": -0.454')),
  );
  assert.ok(lines.includes('azure.json, row 9: the price is not a number above 0 (price -0.454)'), lines.join('\n'));
});
