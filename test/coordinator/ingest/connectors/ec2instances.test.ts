import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ec2instances } from '../../../../coordinator/ingest/connectors/ec2instances.ts';
import { machineNamed } from '../../../../coordinator/ingest/connectors/machine-families.ts';
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

const fixed = fixture('ec2instances.json');
const files = {
  world: 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz',
  china: 'rental/aws-ec2instances/gpu_instances.cn.linux-only.2026-01-21.json.gz',
};

interface Linux {
  ondemand: string;
  spot_avg?: string;
  reserved: Record<string, string>;
}
interface Instance {
  instance_type: string;
  GPU: number;
  GPU_memory: number;
  pricing: Record<string, { linux?: Linux }>;
}
const instancesIn = (path: string): Instance[] =>
  JSON.parse(gunzipSync(readFileSync(sharedPath(path))).toString()) as Instance[];

test('on demand, spot and contracts of 1 and 3 years without a payment ahead, each by the accelerator', async () => {
  const { listings } = await readAll(ec2instances, sourceOf('instances.json', fixed));
  const trainium = listings.filter(({ offer }) => offer === 'trn1.2xlarge');
  assert.deepEqual(
    trainium.map(({ priceType, price, segment }) => [priceType, price, segment ?? null]),
    [
      [0, 1.34375, null],
      [12, 0.8, 'upfront'],
      [36, 0.5, 'upfront'],
      [12, 0.99, 'convertible'],
      [-1, 0.4031, null],
    ],
    'without noUpfront the partial payment, without that the whole one, and convertible contracts: each in a market of its own',
  );
  const p4d = listings.filter(({ offer }) => offer === 'p4d.24xlarge');
  assert.deepEqual(
    p4d.map(({ priceType, price }) => [priceType, price]),
    [
      [0, 172.873412 / 8],
      [12, 113.3 / 8],
    ],
  );
});

test('boards are not GPUs, and Trainium is not Inferentia: the count and the name that AWS publishes', async () => {
  const { listings } = await readAll(ec2instances, sourceOf('instances.json', fixed));
  const k80 = listings.find(({ offer }) => offer === 'p2.8xlarge');
  assert.deepEqual([k80?.gpuCount, k80?.memoryGb, k80?.price], [8, 12, 0.9]);
  assert.equal(listings.find(({ offer }) => offer === 'trn1.2xlarge')?.label, 'AWS Trainium');
});

test('an eighth of a GPU costs an eighth; a spot price equal to the price on demand is refused, so is a machine without GPUs', async () => {
  const { listings, refused, lines } = await readAll(ec2instances, sourceOf('instances.json', fixed));
  const part = listings.filter(({ offer }) => offer === 'g6f.large');
  assert.equal(part.length, 1);
  near(part[0]?.price, 0.2023 * 8);
  assert.equal(part[0]?.memoryGb, 24);
  assert.deepEqual(refused, { 'no-accelerator': 1, 'no-price': 1, 'capped-spot': 1 });
  assert.ok(lines.includes('instances.json, row 3: no price in it (p2.8xlarge us-gov-east-1, not for Linux)'));
});

test('regions of China have their prices in CNY', async () => {
  const { listings } = await readAll(ec2instances, sourceOf('instances.json', fixed));
  for (const { region, currency } of listings) assert.equal(currency, region?.startsWith('cn-') ? 'CNY' : 'USD');
  assert.ok(listings.some(({ currency }) => currency === 'CNY'));
});

for (const [name, path] of Object.entries(files)) {
  test(
    `the whole file of ${name}: every price is kept or refused for the reason that stands in it`,
    { skip: withoutShared },
    async () => {
      const { listings, refused } = await readShared(ec2instances, path);
      const expected: Record<string, number> = {};
      const kept = { onDemand: 0, spot: 0, year: 0, years: 0, convertibleYear: 0, convertibleYears: 0 };
      let sum = 0;
      for (const { instance_type, GPU, pricing } of instancesIn(path)) {
        const gpus = { 'p2.8xlarge': 8, 'p2.16xlarge': 16 }[instance_type] ?? GPU;
        for (const { linux } of Object.values(pricing)) {
          if (linux === undefined) {
            count(expected, 'no-price');
            continue;
          }
          kept.onDemand += 1;
          sum += Number(linux.ondemand) / gpus;
          if (linux.spot_avg !== undefined) {
            if (Number(linux.spot_avg) === Number(linux.ondemand)) count(expected, 'capped-spot');
            else if (Number(linux.spot_avg) > Number(linux.ondemand)) count(expected, 'spot-above-on-demand');
            else kept.spot += 1;
          }
          if (linux.reserved['yrTerm1Standard.noUpfront'] !== undefined) kept.year += 1;
          if (linux.reserved['yrTerm3Standard.noUpfront'] !== undefined) kept.years += 1;
          if (linux.reserved['yrTerm1Convertible.noUpfront'] !== undefined) kept.convertibleYear += 1;
          if (linux.reserved['yrTerm3Convertible.noUpfront'] !== undefined) kept.convertibleYears += 1;
        }
      }
      assert.deepEqual(refused, expected);
      const ofType = (type: number, contract?: string): number =>
        listings.filter(({ priceType, segment }) => priceType === type && (segment ?? undefined) === contract).length;
      const convertible = { convertibleYear: ofType(12, 'convertible'), convertibleYears: ofType(36, 'convertible') };
      const standard = { onDemand: ofType(0), spot: ofType(-1), year: ofType(12), years: ofType(36) };
      assert.deepEqual({ ...standard, ...convertible }, kept);
      near(
        listings.filter(({ priceType }) => priceType === 0).reduce((total, { price }) => total + price, 0),
        sum,
      );
    },
  );
}

test(
  'the file of the world has 1,127 prices on demand in 84 types, and 14 spot prices at or above them',
  { skip: withoutShared },
  async () => {
    const { listings, refused } = await readShared(ec2instances, files.world);
    assert.equal(listings.filter(({ priceType }) => priceType === 0).length, 1127);
    assert.equal(instancesIn(files.world).length, 84);
    assert.deepEqual([refused['capped-spot'], refused['spot-above-on-demand']], [11, 3]);
    assert.equal(new Set(listings.map(({ observedAt }) => observedAt.toISOString())).size, 1);
    assert.equal(listings[0]?.observedAt.toISOString(), '2025-11-30T00:00:00.000Z');
  },
);

test(
  'our counts of EC2 machines are those of the file but for the types that it counts otherwise',
  { skip: withoutShared },
  () => {
    const differing: Record<string, [ours: number | undefined, theirs: number]> = {};
    for (const { instance_type: type, GPU } of instancesIn(files.world)) {
      const ours = machineNamed(type)?.gpuCount;
      if (ours !== GPU) differing[type] = [ours, GPU];
    }
    assert.deepEqual(differing, {
      'p2.8xlarge': [8, 4],
      'p2.16xlarge': [16, 8],
      'p6e-gb200.36xlarge': [4, 36],
    });
  },
);

test(
  'our memory of EC2 accelerators times their count is the total of the file, to the rounding of makers',
  { skip: withoutShared },
  () => {
    const differing: string[] = [];
    for (const { instance_type: type, GPU_memory } of instancesIn(files.world)) {
      const ours = machineNamed(type);
      if (ours !== null && Math.abs((ours.memoryGb * ours.gpuCount) / GPU_memory - 1) > 0.01) differing.push(type);
    }
    // B300: 288 GB are built in and 262.5 counted; the UltraServer's total; one chip's memory instead of 16.
    assert.deepEqual(differing, ['p6-b300.48xlarge', 'p6e-gb200.36xlarge', 'trn2.48xlarge']);
  },
);

test('a document of another shape is refused by the place where it differs', async () => {
  const other = JSON.stringify([
    { instance_type: 'p5.48xlarge', GPU: 8, pricing: { 'us-east-1': { linux: { ondemand: [] } } } },
  ]);
  assert.match(
    await failure(ec2instances, sourceOf('i.json', other)),
    /^i\.json: is not of this format: \[0\]\.pricing\.us-east-1\.linux\.ondemand: /,
  );
  assert.match(
    await failure(ec2instances, sourceOf('i.json', fixed.slice(0, 900))),
    /^i\.json: is cut off or not JSON/,
  );
});

test('a negative price is refused with its row', async () => {
  const { lines } = await readAll(ec2instances, sourceOf('i.json', fixed.replace('"7.2"', '"-7.2"')));
  assert.ok(lines.includes('i.json, row 2: the price is not a number above 0 (price -7.2)'), lines.join('\n'));
});
