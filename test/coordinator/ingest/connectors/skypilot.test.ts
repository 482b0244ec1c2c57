import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { skypilot } from '../../../../coordinator/ingest/connectors/skypilot.ts';
import {
  count,
  csvRows,
  failure,
  near,
  readAll,
  readShared,
  sharedPath,
  sourceOf,
  withoutShared,
} from '../read-source.ts';
import { seenByTables } from '../table-reference.ts';

const folder = 'rental/skypilot-catalog-v8';
const rowsOf = (file: string): Record<string, string>[] =>
  csvRows(readFileSync(sharedPath(`${folder}/${file}`), 'utf8'));
const skip = withoutShared;

test(
  'aws: price of the machine by its accelerators, spot capped at the price on demand refused, a zone counted once',
  { skip },
  async () => {
    const { listings, refused, reads } = await readShared(skypilot, `${folder}/aws.vms.sample.csv`);
    const expected: Record<string, number> = {};
    const kept: (string | number)[][] = [];
    const seen = new Set<string>();
    for (const row of rowsOf('aws.vms.sample.csv')) {
      if (row['AcceleratorName'] === '') {
        count(expected, 'no-accelerator');
        continue;
      }
      for (const [column, type] of [['Price', 0] as const, ['SpotPrice', -1] as const]) {
        const price = row[column] ?? '';
        if (price === '') continue;
        if (type === -1 && Number(price) === Number(row['Price'])) count(expected, 'capped-spot');
        else if (seen.has(`${row['InstanceType']} ${row['Region']} ${type} ${Number(price)}`))
          count(expected, 'same-in-every-zone');
        else {
          seen.add(`${row['InstanceType']} ${row['Region']} ${type} ${Number(price)}`);
          kept.push([
            row['InstanceType'] ?? '',
            row['Region'] ?? '',
            type,
            Number(price) / Number(row['AcceleratorCount']),
          ]);
        }
      }
      if (row['Price'] === '' && row['SpotPrice'] === '') count(expected, 'no-price');
    }
    assert.deepEqual(refused, expected);
    const isSpot = ([, , type]: readonly (string | number)[]): boolean => type === -1;
    assert.deepEqual(
      listings.map(({ offer, region, priceType, price }) => [offer, region, priceType, price]),
      [...kept.filter((one) => !isSpot(one)), ...kept.filter(isSpot)],
      'spot prices come last, once all others are known',
    );
    assert.equal(reads.length, kept.length + Object.values(expected).reduce((a, b) => a + b, 0));
    assert.ok(kept.length > 30);
    assert.deepEqual(expected['no-price'], 1, 'p5e in Sydney has neither price');
    // p5.48xlarge: 55.04 for 8, spot 19.2531 in one zone
    near(listings[0]?.price, 6.88);
    near(listings.find(({ priceType }) => priceType === -1)?.price, 2.4066375);
    assert.deepEqual(
      [...new Set(listings.map(({ label, memoryGb, formFactor }) => `${label} ${memoryGb} ${formFactor}`))],
      ['H100 80 SXM', 'H200 141 SXM'],
    );
  },
);

test('aws: a machine not sold on demand has a spot price only', { skip }, async () => {
  const { listings } = await readShared(skypilot, `${folder}/aws.vms.sample.csv`);
  const p5e = listings.filter(({ offer }) => offer === 'p5e.48xlarge');
  assert.deepEqual([...new Set(p5e.map(({ priceType }) => priceType))], [-1]);
  assert.deepEqual(
    p5e.length,
    rowsOf('aws.vms.sample.csv').filter((row) => row['InstanceType'] === 'p5e.48xlarge' && row['SpotPrice'] !== '')
      .length,
  );
});

test(
  'vast: name and variant out of the instance type, memory of one card, country, and 0.00 as an unknown spot price',
  { skip },
  async () => {
    const { listings, refused } = await readShared(skypilot, `${folder}/vast.vms.sample.csv`);
    const rows = rowsOf('vast.vms.sample.csv');
    assert.deepEqual(refused, { 'unknown-spot': rows.length });
    assert.equal(listings.length, rows.length);
    for (const [index, row] of rows.entries()) {
      const [, gpus = '', name = ''] = /^(\d+)x-(.*)-32-65536$/.exec(row['InstanceType'] ?? '') ?? [];
      const listing = listings[index];
      assert.equal(listing?.label, name.replaceAll('_', ' '));
      near(listing.price, Number(row['Price']) / Number(gpus));
      assert.equal(listing.gpuCount, Number(gpus));
      assert.equal(listing.country, row['Region']?.split(', ').at(-2));
    }
    const memory = (label: string): (number | null)[] =>
      listings.filter((one) => one.label === label).map(({ memoryGb }) => memoryGb);
    assert.deepEqual(memory('H100 NVL'), [93.6, 93.6]);
    assert.deepEqual(memory('RTX 4070S Ti'), [16]);
    assert.deepEqual([memory('A100 SXM4'), memory('A100 PCIE')], [[40], [80]]);
    assert.deepEqual(memory('RTX 4090'), [24, 48, 24], 'a 4090 refitted with 48 GB stays one');
  },
);

for (const cloud of ['lambda', 'runpod']) {
  test(`${cloud}: a price list repeated for every region is taken once and has no region`, { skip }, async () => {
    const { listings, refused } = await readShared(skypilot, `${folder}/${cloud}.vms.sample.csv`);
    const expected: Record<string, number> = {};
    const seen = new Set<string>();
    for (const row of rowsOf(`${cloud}.vms.sample.csv`)) {
      if (row['AcceleratorName'] === '') count(expected, 'no-accelerator');
      else if (seen.has(row['InstanceType'] ?? '')) count(expected, 'same-in-every-region');
      else {
        seen.add(row['InstanceType'] ?? '');
        if (row['SpotPrice'] !== '') count(expected, 'capped-spot');
      }
    }
    assert.deepEqual(refused, expected);
    assert.deepEqual(
      listings.map(({ offer }) => offer),
      [...seen],
    );
    assert.ok(
      listings.every(({ region, country, priceType }) => region === null && country === null && priceType === 0),
    );
  });
}

test('runpod: the name of the GPU beside the accelerator says PCIe, and its MiB are GB', { skip }, async () => {
  const { listings } = await readShared(skypilot, `${folder}/runpod.vms.sample.csv`);
  assert.deepEqual(
    listings.map(({ label, memoryGb, gpuCount, price }) => [label, memoryGb, gpuCount, price]),
    [
      ['A100 PCIe', 80, 1, 1.39],
      ['A100 PCIe', 80, 2, 1.39],
    ],
  );
});

test('lambda: the memory of a card, although the total beside it is not one', { skip }, async () => {
  const { listings } = await readShared(skypilot, `${folder}/lambda.vms.sample.csv`);
  const v100 = listings.find(({ offer }) => offer === 'gpu_8x_v100');
  assert.deepEqual([v100?.memoryGb, v100?.gpuCount, v100?.price], [16, 8, 0.79]);
});

test(
  'shadeform: it is the seller, the upstream stays in the offer; memory in GB, SXM out of the type',
  { skip },
  async () => {
    const reading = await readShared(skypilot, `${folder}/shadeform.vms.sample.csv`);
    const { listings, refused } = reading;
    const rows = rowsOf('shadeform.vms.sample.csv');
    assert.deepEqual(refused, {});
    assert.deepEqual(
      listings.map(({ provider, offer, region, memoryGb, gpuCount }) => [provider, offer, region, memoryGb, gpuCount]),
      rows.map((row) => [
        'shadeform',
        row['InstanceType'],
        row['Region'],
        Number(/'SizeInMiB': (\d+)/.exec(row['GpuInfo'] ?? '')?.[1]),
        Number(row['AcceleratorCount']),
      ]),
    );
    const sxm = seenByTables(reading).filter(({ offer }) => offer?.includes('-sxm'));
    assert.deepEqual(
      sxm.map(({ offer, product }) => [offer, product]),
      [
        ['crusoe_A100-80G-sxm4x8', 'nvidia-a100-sxm-80gb'],
        ['denvr_A100-sxm4x8', 'nvidia-a100-sxm-40gb'],
        ['lambdalabs_A100-sxm4', 'nvidia-a100-sxm-40gb'],
        ['lambdalabs_H100-sxm5x2', 'nvidia-h100-sxm-80gb'],
      ],
    );
  },
);

test(
  'verda: GpuInfo is JSON, an empty price is a machine for spot only, the S in the type is SXM',
  { skip },
  async () => {
    const reading = await readShared(skypilot, `${folder}/verda.vms.csv`);
    const { listings, refused } = reading;
    const rows = rowsOf('verda.vms.csv').filter((row) => row['AcceleratorName'] !== '');
    assert.deepEqual(refused, { 'no-accelerator': 1 });
    const filled = (column: string): number => rows.filter((row) => row[column] !== '').length;
    assert.deepEqual(
      [0, -1].map((type) => listings.filter(({ priceType }) => priceType === type).length),
      [filled('Price'), filled('SpotPrice')],
    );
    const h200 = listings.find(({ offer }) => offer === '1H200.141S.44V');
    assert.deepEqual([h200?.memoryGb, h200?.price, h200?.region], [141, 3.39, 'FIN-02']);
    const h100 = seenByTables(reading).find(({ offer }) => offer === '1H100.80S.32V');
    assert.equal(h100?.product, 'nvidia-h100-sxm-80gb');
    assert.equal(listings.find(({ offer }) => offer === '2B300.60V')?.memoryGb, 262.5);
  },
);

test('a part of an accelerator: the price of a whole one is that many times the price of the machine', async () => {
  const text =
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch\n' +
    'g6f.xlarge,L4,0.125,4.0,16.0,,0.2448,,us-east-1,use1-az1,x86_64\n';
  const { listings } = await readAll(skypilot, sourceOf('v8/aws/vms.csv', text));
  near(listings[0]?.price, 0.2448 * 8);
  assert.deepEqual([listings[0]?.gpuCount, listings[0]?.memoryGb], [0.125, null]);
});

test('an accelerator without a count, and a negative price, are refused with the row', async () => {
  const text =
    'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n' +
    'a,L4,,,0.5,,r\nb,L4,1,,-0.5,,r\nc,L4,1,,0.5,0.7,r\n';
  const { lines } = await readAll(skypilot, sourceOf('nebius.vms.csv', text));
  assert.deepEqual(lines, [
    'nebius.vms.csv, row 1: does not say how many accelerators the price is for (a)',
    'nebius.vms.csv, row 2: the price is not a number above 0 (price -0.5)',
    'nebius.vms.csv, row 3: a spot price above the price on demand is not one that is paid (c 0.7)',
  ]);
});

test('a file that does not say of which cloud it is, and one with other columns, are not read', async () => {
  const header = 'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n';
  assert.equal(
    await failure(skypilot, sourceOf('vms.csv', header)),
    'vms.csv: does not say of which cloud it is: name --provider',
  );
  assert.match(
    await failure(skypilot, sourceOf('aws.csv', 'InstanceType,Price,Region\nx,1,y\n')),
    /^aws\.csv: is not of this format: it has no column AcceleratorName, AcceleratorCount, GpuInfo, SpotPrice; its columns are InstanceType, Price, Region$/,
  );
});
