import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ec2instances } from '../../../../coordinator/ingest/connectors/ec2instances.ts';
import { moreFiles } from '../real-files.ts';
import { near, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';
import { seenByTables } from '../table-reference.ts';

/** Accelerators in the machines of those years, as the pages of their families said. */
const gpus: Readonly<Record<string, number>> = {
  'cg1.4xlarge': 2,
  'g2.2xlarge': 1,
  'g2.8xlarge': 4,
  'g3.4xlarge': 1,
  'g3.8xlarge': 2,
  'g3.16xlarge': 4,
  'p2.xlarge': 1,
  'p2.8xlarge': 8,
  'p2.16xlarge': 16,
  'p3.2xlarge': 1,
  'p3.8xlarge': 4,
  'p3.16xlarge': 8,
};

interface Instance {
  instance_type: string;
  pricing: Record<string, { linux?: { ondemand?: string; reserved?: Record<string, string> } }>;
}

test(
  'the list of 2017, without names and counts of most GPUs: every price of a GPU machine',
  { skip: withoutShared },
  async () => {
    const [path = ''] = moreFiles.ec2instances;
    const reading = await readShared(ec2instances, path);
    const list = JSON.parse(gunzipSync(readFileSync(sharedPath(path))).toString()) as Instance[];
    const rows = list.flatMap(({ instance_type, pricing }) =>
      Object.entries(pricing).map(([region, { linux }]) => ({ type: instance_type, region, linux })),
    );
    const ofGpus = rows.filter(({ type }) => gpus[type] !== undefined);
    const onDemand = ofGpus.filter(({ linux }) => Number(linux?.ondemand) > 0);
    const terms = ofGpus.flatMap(({ linux }) => [
      ...new Set(Object.keys(linux?.reserved ?? {}).map((term) => term.split('.')[0])),
    ]);
    // Counted by a script of another language, too.
    assert.deepEqual([rows.length, ofGpus.length, onDemand.length, terms.length], [970, 94, 93, 364]);
    assert.deepEqual(reading.refused, { 'no-accelerator': rows.length - ofGpus.length, 'no-price': 1 });
    assert.equal(reading.listings.length, onDemand.length + terms.length);
    const said = reading.listings.filter(({ priceType }) => priceType === 0);
    for (const [at, { type, region, linux }] of onDemand.entries()) {
      assert.deepEqual([said[at]?.offer, said[at]?.region, said[at]?.gpuCount], [type, region, gpus[type]]);
      near(said[at]?.price, Number(linux?.ondemand) / (gpus[type] ?? NaN));
    }
    // On demand and contracts of p2, g3 and p3; g2 and cg1 are not in the catalogue, and their labels are listed.
    const products = Map.groupBy(seenByTables(reading), ({ product }) => product);
    assert.deepEqual(Object.fromEntries([...products].map(([product, seen]) => [product, seen.length])), {
      'nvidia-k80-12gb': 165,
      'nvidia-m60-8gb': 150,
      'nvidia-v100-sxm-16gb': 60,
      '- NVIDIA GRID K520 | 4 GB': 80,
      '- NVIDIA Tesla M2050 | 3 GB': 2,
    });
  },
);

test('lists of 2013 to 2015 have a text for a price, on demand alone; machines whose GPUs we do not list are not said to have none', async () => {
  // Rows of the list of November 2013
  const list = [
    { instance_type: 'm3.xlarge', ECU: 13, pricing: { 'us-east-1': { mswin: '0.702', linux: '0.450' } } },
    {
      instance_type: 'g2.2xlarge',
      ECU: 26,
      pricing: {
        'us-east-1': { mswin: '0.767', linux: '0.650' },
        'eu-west-1': { mswin: '0.767', linux: '0.702' },
      },
    },
    { instance_type: 'cg1.4xlarge', ECU: 33.5, pricing: { 'eu-west-1': { mswin: '2.600', linux: '2.36' } } },
  ];
  const reading = await readAll(ec2instances, sourceOf('instances.2013-11-09.json', JSON.stringify(list)));
  assert.deepEqual(reading.refused, { 'no-accelerator': 1 });
  assert.deepEqual(
    reading.listings.map(({ offer, region, priceType, gpuCount, price }) => [
      offer,
      region,
      priceType,
      gpuCount,
      price,
    ]),
    [
      ['g2.2xlarge', 'us-east-1', 0, 1, 0.65],
      ['g2.2xlarge', 'eu-west-1', 0, 1, 0.702],
      ['cg1.4xlarge', 'eu-west-1', 0, 2, 1.18],
    ],
  );
});
