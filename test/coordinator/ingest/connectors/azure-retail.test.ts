import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { azureRetail } from '../../../../coordinator/ingest/connectors/azure-retail.ts';
import {
  count,
  failure,
  fixture,
  near,
  readAll,
  readShared,
  sharedPath,
  sourceOf,
  withoutShared,
} from '../read-source.ts';

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

test('the sample of 29 items by the words in it', { skip: withoutShared }, async () => {
  const path = 'rental/provider-api-samples/azure.retail-prices-items.json';
  const { listings, refused } = await readShared(azureRetail, path);
  const expected: Record<string, number> = {};
  const kept: [string, string, number, number][] = [];
  const gpus: Record<string, number> = { NC24ads: 1, NC40ads: 1, NC48ads: 2, NC80adis: 2, NC96ads: 4 };
  const items = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as Record<string, string>[];
  for (const { armSkuName = '', armRegionName = '', retailPrice, meterName = '', productName = '' } of items) {
    if (productName.includes('Windows')) count(expected, 'other-system');
    else if (meterName.includes('Low Priority')) count(expected, 'low-priority');
    else {
      const size = gpus[armSkuName.split('_')[1] ?? ''] ?? 8;
      kept.push([armSkuName, armRegionName, meterName.includes('Spot') ? -1 : 0, Number(retailPrice) / size]);
    }
  }
  assert.deepEqual(refused, expected);
  const order = (a: unknown[], b: unknown[]): number => String(a).localeCompare(String(b));
  assert.deepEqual(
    listings.map(({ offer, region, priceType, price }) => [offer, region, priceType, price]).toSorted(order),
    kept.toSorted(order),
  );
  assert.equal(items.length, 29);
  assert.equal(listings.find(({ offer }) => offer === 'Standard_NC40ads_H100_v5')?.label, 'NVIDIA H100 NVL');
});

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
