import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gpuPeak, gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';

/** Two public tables, kept beside the checkout; a checkout alone does not have them. */
const folder = new URL('../../../../shared/data/specs/', import.meta.url);
const skip = existsSync(folder) ? false : 'the public tables are not beside this checkout';

function rowsOf(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])));
}
const near = (a: number, b: number, share: number): boolean => Math.abs(a / b - 1) <= share;

/** Row of the first table -> our models of that name. */
const skuOf: Record<string, string[]> = {
  B300: ['B300'],
  B200: ['B200'],
  H200: ['H200'],
  H100: ['H100 SXM'],
  H800: ['H800 SXM'],
  H20: ['H20'],
  L40s: ['L40S'],
  'RTX PRO 6000 WS': ['RTX PRO 6000 Workstation'],
  'RTX PRO 6000 Max-Q': ['RTX PRO 6000 Max-Q'],
  A800: ['A800 80GB SXM'],
  A100: ['A100 80GB SXM', 'A100 40GB SXM'],
  'RTX 4070 Super': ['RTX 4070 SUPER'],
  'RTX 4070 Ti Super': ['RTX 4070 Ti SUPER'],
  V100: ['V100 SXM2 16GB', 'V100 SXM2 32GB'],
  MI300: ['MI300X'],
  MI250: ['MI250 (one die)'],
  'R9700 PRO': ['AI PRO R9700'],
};

/** Where the first table contradicts the makers' sheets, and why we keep the sheet. */
const skuDisagrees: Record<string, string> = {
  'B300 tflops': "1232 is not one of the sheet's rates: 80 fp32, 1125 tf32, 2250 bf16",
  'B200 tflops': '496.6 is the vector fp16 rate of an early listing',
  'H200 tflops': '241.3 is 4 x 60.3, the fp32 of the NVL card',
  'H800 tflops': '237.2 is 4 x 59.3, the fp32 of the PCIe card',
  'V100 tflops': '28.26 is twice the fp32 of the PCIe card',
  'B200 memory': '192 GB are built in, 180 are offered',
  'B300 memory': '288 GB are built in, 270 to 279 are offered',
  'MI300 tflops': "383 is MI250X's fp16, both dies",
  'MI250 tflops': 'both dies; ours is one',
  'MI250 memory': 'both dies; ours is one',
  'RTX PRO 6000 Max-Q tflops': "116 against the white paper's 109.7",
  'B300 power': "1400 is the superchip's; sheets of the board say 1100",
  'RTX 4060 Ti power': '165 is the 16 GB make, 160 the one of 8 GB',
  'RTX 5060 power': "150 against the sheet's 145",
};

test('memory, power and rates agree with a public table of models, but for known disagreements', { skip }, () => {
  const disagreements = new Set<string>();
  let compared = 0;
  for (const row of rowsOf('huggingface-tasks-0.21.54-gpu-skus.csv')) {
    const sku = row['name'] ?? '';
    for (const { name, memory_gb, tdp_watts, fp32_tflops, fp16_tflops } of gpuPeaks) {
      if (!(skuOf[sku] ?? [sku]).includes(name)) continue;
      compared += 1;
      const sizes = (row['memory'] ?? '').split('|').map(Number);
      if (!sizes.some((size) => near(size, memory_gb, 0.01))) disagreements.add(`${sku} memory`);
      if (tdp_watts !== null && !near(Number(row['power']), tdp_watts, 0.02)) disagreements.add(`${sku} power`);
      // The table mixes fp32, vector fp16 (twice or four times fp32) and tensor fp16.
      const fp32 = fp32_tflops ?? Number.NaN;
      const rates = [fp32, 2 * fp32, 4 * fp32, fp16_tflops ?? Number.NaN];
      if (!rates.some((rate) => near(Number(row['tflops']), rate, 0.03))) disagreements.add(`${sku} tflops`);
    }
  }
  assert.deepEqual([...disagreements].toSorted(), Object.keys(skuDisagrees).toSorted());
  assert.ok(compared > 35, `${compared} models compared`);
});

/** Names of the second table that drivers spell otherwise. */
const spelled: Record<string, string> = {
  'NVIDIA A100 SXM4 40 GB': 'NVIDIA A100-SXM4-40GB',
  'NVIDIA A100 80GB PCle': 'NVIDIA A100 80GB PCIe',
  'NVIDIA A100 80GB SXM': 'NVIDIA A100-SXM4-80GB',
  'NVIDIA A100 40GB PCle': 'NVIDIA A100-PCIE-40GB',
  'NVIDIA B200 SXM 192 GB': 'NVIDIA B200',
  'NVIDIA GH200': 'NVIDIA GH200 480GB',
  'NVIDIA H100 PCIe 80 GB': 'NVIDIA H100 PCIe',
  'NVIDIA H100 SXM5 80 GB': 'NVIDIA H100 80GB HBM3',
  'NVIDIA H200 SXM 141 GB': 'NVIDIA H200',
  'AMD Radeon Instinct MI300X': 'AMD Instinct MI300X',
  'NVIDIA A40 PCIe': 'NVIDIA A40',
  'NVIDIA A30 PCIe': 'NVIDIA A30',
  'NVIDIA A10 PCIe': 'NVIDIA A10',
  'NVIDIA Tesla V100 SXM2 32 GB': 'Tesla V100-SXM2-32GB',
  'NVIDIA Tesla V100 SXM2 16 GB': 'Tesla V100-SXM2-16GB',
};

/** Where the second table contradicts the makers' sheets, and why we keep the sheet. */
const tableDisagrees: Record<string, string> = {
  'NVIDIA GH200 bandwidth_gb_s': "4900 is the 144 GB make's",
  'NVIDIA B200 SXM 192 GB bandwidth_gb_s': '4100 is one die of two',
  'NVIDIA B200 SXM 192 GB vram_gb': '192 GB are built in, 180 are offered',
  'NVIDIA A10G watt': "150 is the A10's",
  'NVIDIA L40S watt': "300 is the L40's",
  'AMD Radeon Instinct MI300X bandwidth_gb_s': "10300 is the other direction's added",
  'NVIDIA Tesla V100 SXM2 32 GB watt': "250 is the PCIe card's",
  'NVIDIA Tesla V100 SXM2 16 GB watt': "250 is the PCIe card's",
};

test(
  'bus width, bandwidth, memory and power agree with a second public table, but for known disagreements',
  { skip },
  () => {
    const disagreements = new Set<string>();
    let compared = 0;
    for (const row of rowsOf('united-compute-gpu-specs.csv')) {
      const name = row['gpu_name'] ?? '';
      const peak = gpuPeak(spelled[name] ?? name);
      if (!peak) continue;
      compared += 1;
      const check = (column: string, ours: number | null): void => {
        if (ours !== null && !near(Number(row[column]), ours, 0.03)) disagreements.add(`${name} ${column}`);
      };
      check('bandwidth_gb_s', peak.memory_bandwidth_gbs);
      check('watt', peak.tdp_watts);
      check('vram_gb', peak.memory_gb);
      check('bus_width_bit', peak.memory.bus_bits);
    }
    assert.deepEqual([...disagreements].toSorted(), Object.keys(tableDisagrees).toSorted());
    assert.ok(compared > 25, `${compared} models compared`);
  },
);
