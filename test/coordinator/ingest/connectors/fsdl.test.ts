import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fsdlCloud, fsdlServerless } from '../../../../coordinator/ingest/connectors/fsdl.ts';
import {
  count,
  csvRows,
  failure,
  fixture,
  near,
  readAll,
  readShared,
  sharedPath,
  sourceOf,
  withoutShared,
} from '../read-source.ts';
import { realFiles } from '../real-files.ts';

const cloud = fixture('fsdl-cloud.2025-03-07.csv');

test('both prices are for the machine; the column Per-GPU is not believed', async () => {
  const { listings, lines } = await readAll(fsdlCloud, sourceOf('cloud-gpus.csv', cloud));
  const price = (provider: string, type: number): number | undefined =>
    listings.find((one) => one.provider === provider && one.priceType === type)?.price;
  near(price('AWS', 0), 32.77 / 8);
  near(price('AWS', -1), 9.83 / 8);
  near(price('Cudo Compute', 0), 0.65 / 2);
  near(price('FluidStack', 0), 38.08 / 8);
  assert.deepEqual(
    lines,
    ['cloud-gpus.csv, row 4: no price in it (GPU3080Ti MEDIUM)'],
    'its Per-GPU is the price of the machine',
  );
});

test('memory is asked of the column only if the label has none; the form factor is that of the machine type', async () => {
  const { listings } = await readAll(fsdlCloud, sourceOf('cloud-gpus.csv', cloud));
  const of = (provider: string): unknown[] => {
    const one = listings.find((listing) => listing.provider === provider);
    return [one?.label, one?.memoryGb, one?.formFactor, one?.offer];
  };
  assert.deepEqual(of('AWS'), ['A100 (40 GB)', null, 'SXM', 'p4d.24xlarge']);
  assert.deepEqual(of('Azure'), ['A100 (80 GB)', null, 'PCIe', 'Standard_NC96ads_A100_v4']);
  assert.deepEqual(of('Oracle Cloud'), ['A10', 24, 'PCIe', 'VM.GPU.A10.2']);
  assert.deepEqual(of('FluidStack'), ['H100 (80 GB)', null, null, null]);
});

test('serverless: the price of an hour by its GPUs, dollar signs and GB in the cells', async () => {
  const { listings } = await readAll(
    fsdlServerless,
    sourceOf('serverless-gpus.csv', fixture('fsdl-serverless.2024-05-20.csv')),
  );
  assert.deepEqual(
    listings.map(({ provider, label, memoryGb, gpuCount, price, offer }) => [
      provider,
      label,
      memoryGb,
      gpuCount,
      price,
      offer,
    ]),
    [
      ['Baseten', 'A100 (80 GB)', null, 8, 49.15 / 8, 'serverless'],
      ['Mystic AI', 'Nvidia A100', 40, 1, 3, 'serverless'],
      ['Replicate', 'A40', 48, 8, 2.61, 'serverless'],
    ],
  );
});

const number = (cell: string | undefined): number => Number((cell ?? '').replace('$', '') || NaN);

for (const [kind, connector, column] of [
  ['cloud', fsdlCloud, 'On-demand'],
  ['serverless', fsdlServerless, 'Per-Hour'],
] as const) {
  test(
    `${kind}: every row of every edition is kept or refused for what stands in it, on the day of its name`,
    { skip: withoutShared },
    async () => {
      const editions = realFiles[`fsdl-${kind}`];
      let rows = 0;
      for (const name of editions) {
        const { listings, refused } = await readShared(connector, name);
        const expected: Record<string, number> = {};
        const kept: string[] = [];
        const seen = new Set<string>();
        for (const row of csvRows(readFileSync(sharedPath(name), 'utf8'))) {
          rows += 1;
          const text = JSON.stringify(row);
          const isPriced = number(row[column]) > 0 || number(row['Spot']) > 0;
          if (isPriced && seen.has(text)) {
            count(expected, 'same-row');
            continue;
          }
          seen.add(text);
          const [price, spot, gpus] = [number(row[column]), number(row['Spot']), Number(row['GPUs'])];
          if (Number.isNaN(price) && Number.isNaN(spot)) count(expected, 'no-price');
          if (price > 0) kept.push(`0 ${price / gpus}`);
          if (spot === price) count(expected, 'capped-spot');
          else if (spot > price) count(expected, 'spot-above-on-demand');
          else if (spot > 0) kept.push(`-1 ${spot / gpus}`);
        }
        assert.deepEqual(refused, expected, name);
        assert.deepEqual(
          listings.map(({ priceType, price }) => `${priceType} ${price}`),
          kept,
          name,
        );
        assert.ok(
          listings.every(
            ({ observedAt }) => observedAt.toISOString() === `${/\d{4}-\d{2}-\d{2}/.exec(name)?.[0]}T00:00:00.000Z`,
          ),
        );
      }
      assert.deepEqual([editions.length, rows], kind === 'cloud' ? [29, 5153] : [17, 507]);
    },
  );
}

test('swapped columns are found; a negative price is refused with its row', async () => {
  const swapped = cloud.replace('GPU Type,GPU Arch,GPUs', 'GPUs,GPU Arch,GPU Type');
  assert.match(
    await failure(fsdlCloud, sourceOf('c.csv', swapped)),
    /^c\.csv: the column GPUs does not hold counts \(such as "H100 \(80 GB\)"\)/,
  );
  const { lines } = await readAll(fsdlCloud, sourceOf('c.csv', cloud.replace('14.69', '-14.69')));
  assert.ok(
    lines.some((line) => line.startsWith('c.csv, row 2: ')),
    lines.join('\n'),
  );
});
