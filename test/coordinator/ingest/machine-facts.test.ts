import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fsdlCloud } from '../../../coordinator/ingest/connectors/fsdl.ts';
import { gpuhunt } from '../../../coordinator/ingest/connectors/gpuhunt.ts';
import { saidByName } from '../../../coordinator/ingest/connectors/machine-names.ts';
import { skypilot } from '../../../coordinator/ingest/connectors/skypilot.ts';
import { near, readAll, sharedPath, sourceOf, withoutShared } from './read-source.ts';
import { seenByTables } from './table-reference.ts';

const header = 'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n';
const info = (name: string, gb: number): string =>
  `"{'Gpus': [{'Name': '${name}', 'Count': 1, 'MemoryInfo': {'SizeInMiB': ${gb * 1024}}}]}"`;
const rowOf = (type: string, name: string, { count = 8, gb = 80 } = {}): string =>
  `${type},${name},${count},${info(name, gb)},24,,r\n`;
const seenAt = async (cloud: string, ...rows: string[]) =>
  seenByTables(await readAll(skypilot, sourceOf(`${cloud}/vms.csv`, header + rows.join(''))));
const sharedCase = (name: string): string => readFileSync(sharedPath(`cases/${name}`), 'utf8');

test('what a name says: accelerators in the machine, their words, memory of one, form factor; nothing of processors', () => {
  const said: [seller: string, offer: string, ...facts: unknown[]][] = [
    ['lambda', 'gpu_8x_a100_80gb_sxm4', 8, 'a100_80gb_sxm4', 80, 'SXM'],
    ['lambda', 'gpu_8x_a100', 8, 'a100', null, null],
    ['lambda', 'gpu_1x_h100_pcie', 1, 'h100_pcie', null, 'PCIe'],
    ['verda', '1H200.141S.44V', 1, 'H200', 141, 'SXM'],
    ['verda', '8A100.176V', 8, 'A100', null, null],
    ['mithril', 'ccs-h200.sxm.8x', 8, 'h200.sxm', null, 'SXM'],
    ['mithril', 'h100-80gb.sxm.8x_104cpu', 8, 'h100-80gb.sxm', 80, 'SXM'],
    ['crusoe', 'a100-80gb-sxm-ib.8x', 8, 'a100-80gb-sxm', 80, 'SXM'],
    ['hyperstack', 'n3-RTX-A4000x10', 10, 'RTX-A4000', null, null],
    ['hyperstack', 'n3-A100x8-NVLink', 8, 'A100', null, null],
    ['nebius', 'gpu-l40s-a_1gpu-8vcpu-32gb', 1, 'l40s', null, null],
    ['nebius', 'gpu-h100-sxm 8gpu-128vcpu-1600gb', 8, 'h100-sxm', null, 'SXM'],
    ['digitalocean', 'gpu-h100x8-640gb', 8, 'h100', 80, null],
    ['shadeform', 'crusoe_A100-80G-sxm4x8', 8, 'A100-80G-sxm4', 80, 'SXM'],
    ['primeintellect', 'lambdalabs__8xA100_80GB__240__1800', 8, 'A100_80GB', 80, null],
    ['scaleway', 'H100-SXM-2-80G', 2, 'H100-SXM', 80, 'SXM'],
    ['jarvislabs', '8x_RTXPRO6000_224V_1280G', 8, 'RTXPRO6000', null, null],
    ['lium', 'RTX4090_2x', 2, 'RTX4090', null, null],
    ['yotta-labs', '8x112v952g_NVIDIA_GeForce_RTX_5090_32G_SECURE', 8, 'NVIDIA_GeForce_RTX_5090_32G', 32, null],
    ['daytona', '8x-MI355X', 8, 'MI355X', null, null],
    ['runpod', 'NVIDIA H100 80GB HBM3', null, 'NVIDIA H100 80GB HBM3', 80, null],
    ['vastai', '2x-RTX_4090-32-65536', 2, 'RTX_4090', null, null],
    ['cudo', 'sapphire-rapids-h100_2x8v16gb', 2, null, null, null],
    ['fluidstack', 'H100_PCIE_80GB::4', 4, 'H100_PCIE_80GB', 80, 'PCIe'],
  ];
  for (const [seller, offer, ...facts] of said) {
    const { gpuCount, label, memoryGb, formFactor } = saidByName(seller, offer) ?? assert.fail(offer);
    assert.deepEqual([gpuCount, label, memoryGb, formFactor], facts, offer);
  }
  // Names that say nothing, and a form of one seller under another.
  for (const [seller, offer] of [
    ['scaleway', 'RENDER-S'],
    ['seeweb', 'ECS1GPU3'],
    ['ovhcloud', 't1-45'],
    ['aws', 'gpu_8x_a100_80gb_sxm4'],
  ] as const)
    assert.equal(saidByName(seller, offer), null, offer);
});

test(
  'Lambda’s gpu_8x_a100_80gb_sxm4 is the SXM card of 80 GB, although the column beside it says 40',
  { skip: withoutShared },
  async () => {
    const text = sharedCase('skypilot-lambda-a100-80gb-said-40.lambda.vms.2026-06-01.csv');
    const seen = seenByTables(await readAll(skypilot, sourceOf('lambda.vms.csv', text)));
    // 12.00 and 8.80 for eight
    assert.deepEqual(
      seen.map(({ offer, product, price, doubt }) => [offer, product, price, doubt]),
      [
        ['gpu_8x_a100_80gb_sxm4', 'nvidia-a100-sxm-80gb', 1.5, null],
        ['gpu_8x_a100', 'nvidia-a100-sxm-40gb', 1.1, null],
      ],
    );
    assert.equal(seen[0]?.evidence, 'machine name');
  },
);

test(
  'gpuhunt’s H100 at Runpod: the driver’s name of the card says which one it is',
  { skip: withoutShared },
  async () => {
    const text = sharedCase('gpuhunt-runpod-h100.runpod.2026-06-01.csv');
    const seen = seenByTables(await readAll(gpuhunt, sourceOf('runpod.csv', text)));
    assert.deepEqual(
      seen.map(({ offer, product, price }) => [offer, product, price]),
      [
        ['NVIDIA H100 NVL', 'nvidia-h100-nvl-94gb', 2.79],
        ['NVIDIA H100 80GB HBM3', 'nvidia-h100-sxm-80gb', 2.99],
        ['NVIDIA H100 PCIe', 'nvidia-h100-pcie-80gb', 2.39],
        ['NVIDIA RTX A6000', 'nvidia-rtx-a6000-48gb', 0.49],
        ['NVIDIA RTX 6000 Ada Generation', 'nvidia-rtx-6000-ada-48gb', 0.77],
      ],
    );
  },
);

test('form factor, memory and model of the name win over the columns, at every seller that names machines so', async () => {
  const cases: [cloud: string, row: string, product: string][] = [
    ['shadeform', rowOf('lambdalabs_H100-sxm5x8', 'H100'), 'nvidia-h100-sxm-80gb'],
    ['verda', rowOf('8H100.80S.176V', 'H100'), 'nvidia-h100-sxm-80gb'],
    ['nebius', rowOf('gpu-h100-sxm_8gpu-128vcpu-1600gb', 'H100'), 'nvidia-h100-sxm-80gb'],
    // SkyPilot writes the memory of the whole machine here.
    ['primeintellect', rowOf('nebius__8xH200_141GB__128__1600', 'H200', { gb: 1128 }), 'nvidia-h200-sxm-141gb'],
    ['fluidstack', rowOf('H100_PCIE_80GB::8', 'H100'), 'nvidia-h100-pcie-80gb'],
    ['do', rowOf('gpu-h200x8-1128gb', 'H200', { gb: 80 }), 'nvidia-h200-sxm-141gb'],
    ['lium', rowOf('L40S_8x', 'L40', { gb: 48 }), 'nvidia-l40s-48gb'],
  ];
  for (const [cloud, row, product] of cases) {
    const [seen] = await seenAt(cloud, row);
    assert.deepEqual([seen?.product, seen?.price, seen?.doubt], [product, 3, null], row);
  }
});

test('what the name does not say is not guessed from it: a 4090 refitted with 48 GB and a part of a card stay unmatched', async () => {
  const [refitted] = await seenAt('vast', rowOf('1x-RTX_4090-32-65536', 'RTX4090', { count: 1, gb: 48 }));
  assert.equal(refitted?.product, '- RTX 4090 | 48 GB');
  const [part] = await seenAt('lambda', rowOf('gpu_1x_a100_80gb_sxm4', 'A100 MIG', { count: 1, gb: 10 }));
  assert.equal(part?.product, '- A100 MIG | 10 GB');
});

test('another number of accelerators than the name says is doubted: either may be what the price is divided by', async () => {
  const seen = await seenAt('lambda', rowOf('gpu_8x_a100_80gb_sxm4', 'A100', { count: 4 }));
  assert.deepEqual(
    seen.map(({ product, doubt }) => [product, doubt]),
    [['nvidia-a100-sxm-80gb', 'contradiction']],
  );
});

test('a name that the seller only passes on, or that a table was typed with, does not win: the price is kept and doubted', async () => {
  // Spheron's own words for a machine of Massed Compute
  const [relayed] = await seenAt('spheron', rowOf('gpu_1x_a100_SXM4_us-central-3', 'A100_80G_PCIE', { count: 1 }));
  assert.deepEqual([relayed?.product, relayed?.doubt], ['nvidia-a100-pcie-80gb', 'contradiction']);
  const typed =
    'Cloud,GPU Type,GPU Arch,GPUs,GPU RAM,vCPUs,RAM,On-demand,Per-GPU,Spot,Name\n' +
    'Lambda,H100 PCIe (80 GB),Hopper,1,80,26,200,2.49,2.49,,gpu_1x_h100_sxm5\n';
  const [table] = seenByTables(await readAll(fsdlCloud, sourceOf('cloud-gpus.2025-03-07.csv', typed)));
  assert.deepEqual([table?.product, table?.doubt], ['nvidia-h100-pcie-80gb', 'contradiction']);
  near(table?.price ?? undefined, 2.49);
});
