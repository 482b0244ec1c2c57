import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certain, type GpuPeak } from '../../../coordinator/figures/gpu-peak.ts';
import { type ComputedBy, gpuPeak, gpuPeaks, specPeak } from '../../../coordinator/figures/gpu-peaks.ts';
import { bandOf, judgeByBand } from '../../../coordinator/figures/plausibility.ts';
import { driverNames, namesOfNothing } from './driver-names.ts';

const far = (measured: number, expected: number): number => Math.abs(measured / expected - 1);
const named = (name: string): GpuPeak => gpuPeaks.find((peak) => peak.name === name) ?? assert.fail(name);

test('every name that drivers report finds its own model and no other', () => {
  for (const [reported, name] of driverNames) assert.equal(gpuPeak(reported)?.name, name, reported);
  const covered = new Set(driverNames.map(([, name]) => name));
  const unproved = gpuPeaks.filter(({ name }) => !covered.has(name)).map(({ name }) => name);
  assert.deepEqual(unproved, [], 'models without a driver name in the list');
});

test('one name is matched by one line only, so the order of the lines decides nothing', () => {
  for (const [reported] of driverNames) {
    const matching = gpuPeaks.filter((peak) => peak.reported.test(reported)).map(({ name }) => name);
    assert.equal(matching.length, 1, `${reported}: ${matching.join(', ')}`);
  }
  assert.equal(new Set(gpuPeaks.map(({ name }) => name)).size, gpuPeaks.length);
});

test('a laptop part, a slice, a virtual GPU, another market or a relative is never taken for the card', () => {
  for (const reported of namesOfNothing) assert.equal(gpuPeak(reported)?.name, undefined, reported);
});

test('fp16 is twice tf32 and fp8 twice fp16, within the rounding of the data sheets', () => {
  let compared = 0;
  for (const peak of gpuPeaks) {
    const { name, tf32_tflops: tf32, fp16_tflops: fp16, fp8_tflops: fp8 } = peak;
    // 1.7 %: L4's sheet rounds 60.5 down to 60, L40S's gives 183, 362 and 733
    if (tf32 !== null && fp16 !== null) assert.ok(far(fp16, 2 * tf32) < 0.017, `${name}: ${fp16} is not 2 x ${tf32}`);
    if (fp16 !== null && fp8 !== null) assert.ok(far(fp8, 2 * fp16) < 0.017, `${name}: ${fp8} is not 2 x ${fp16}`);
    compared += tf32 === null && fp8 === null ? 0 : 1;
  }
  assert.ok(compared > 45, `${compared} models compared`);
});

test('bf16 runs at the rate of fp16, but for MI100, which has half of it', () => {
  for (const { name, fp16_tflops: fp16, bf16_tflops: bf16 } of gpuPeaks) {
    if (bf16 === null) continue;
    assert.equal(bf16, name === 'MI100' ? (fp16 ?? 0) / 2 : fp16, name);
  }
});

test('the bandwidth is bus width times pin rate, within 5 %', () => {
  for (const { name, memory, memory_bandwidth_gbs } of gpuPeaks) {
    const wire = (memory.bus_bits * memory.gbps_per_pin) / 8;
    assert.ok(far(memory_bandwidth_gbs, wire) < 0.05, `${name}: ${memory_bandwidth_gbs} GB/s, ${wire} on the wire`);
  }
  // one by hand: 5120 pins x 5.23 Gb/s / 8 = 3347 GB/s against the sheet's 3350
  assert.deepEqual(named('H100 SXM').memory, { kind: 'HBM3', bus_bits: 5120, gbps_per_pin: 5.23 });
});

test('published rates are those of the units at the published clock', () => {
  // SMs x dense FLOP per clock and SM x boost clock in GHz / 1000
  const derived: [
    name: string,
    figure: 'bf16_tflops' | 'fp16_tflops' | 'fp32_tflops' | 'fp4_tflops',
    tflops: number,
  ][] = [
    ['V100 SXM2 16GB', 'fp16_tflops', (80 * 1024 * 1.53) / 1000],
    ['A100 80GB SXM', 'bf16_tflops', (108 * 2048 * 1.41) / 1000],
    ['A40', 'bf16_tflops', (84 * 1024 * 1.74) / 1000],
    ['RTX 3090', 'bf16_tflops', (82 * 512 * 1.695) / 1000],
    ['RTX 4090', 'bf16_tflops', (128 * 512 * 2.52) / 1000],
    ['RTX 5090', 'bf16_tflops', (170 * 512 * 2.407) / 1000],
    ['H100 SXM', 'bf16_tflops', (132 * 4096 * 1.83) / 1000],
    ['H100 SXM', 'fp32_tflops', (132 * 256 * 1.98) / 1000],
    // compute units x 2048 x GHz; fp32 of RDNA 3 counts dual issue: x 256
    ['MI300X', 'bf16_tflops', (304 * 2048 * 2.1) / 1000],
    ['MI355X', 'fp4_tflops', (256 * 16_384 * 2.4) / 1000],
    ['MI350X', 'fp4_tflops', (256 * 16_384 * 2.2) / 1000],
    ['MI210', 'bf16_tflops', (104 * 1024 * 1.7) / 1000],
    ['RX 7900 XTX', 'fp32_tflops', (96 * 256 * 2.5) / 1000],
    ['RX 9070 XT', 'bf16_tflops', (64 * 1024 * 2.97) / 1000],
  ];
  for (const [name, figure, tflops] of derived)
    assert.ok(far(named(name)[figure] ?? 0, tflops) < 0.01, `${name} ${figure}: ${tflops}`);
});

test('floors leave room for healthy parts and still mean something; units are those of a GPU', () => {
  for (const peak of gpuPeaks) {
    const { name, floors, memory_bandwidth_gbs: gbs, tdp_watts: watts, memory_gb, l2_mb, pcie, source } = peak;
    for (const floor of Object.values(floors)) assert.ok(floor >= 0.35 && floor <= 0.95, `${name}: floor ${floor}`);
    assert.ok(gbs >= 100 && gbs <= 20_000, `${name}: ${gbs} GB/s`);
    assert.ok(watts === null || (watts >= 40 && watts <= 2000), `${name}: ${watts} W`);
    assert.ok(memory_gb >= 8 && memory_gb <= 300, `${name}: ${memory_gb} GB`);
    assert.ok(l2_mb === null || (l2_mb >= 2 && l2_mb <= 256), `${name}: ${l2_mb} MB`);
    assert.ok(pcie === null || ([3, 4, 5].includes(pcie.generation) && [8, 16].includes(pcie.width)), name);
    assert.match(source, /^(NVIDIA|AMD) .* 20(1[7-9]|2\d)\b/, `${name}: maker's document and year`);
    const { fp32_tflops: fp32, fp64_tflops: fp64, fp16_tflops: fp16 } = peak;
    assert.ok(fp32 !== null && fp32 >= 4 && fp32 <= 200, `${name}: fp32 ${fp32}`);
    assert.ok(fp64 === null || fp64 <= fp32, `${name}: fp64 ${fp64}`);
    assert.ok(fp16 === null || (fp16 >= fp32 && fp16 <= 3000), `${name}: fp16 ${fp16}`);
  }
  assert.ok(gpuPeaks.length >= 50, `${gpuPeaks.length} models`);
});

test('a figure that sources contradict each other on is shown and never judged by', () => {
  const peak = named('B200');
  assert.equal(peak.memory_bandwidth_gbs, 8000);
  assert.equal(certain(peak, 'memory_bandwidth_gbs'), null);
  assert.equal(certain(peak, 'bf16_tflops'), 2250);
  for (const { name, uncertain } of gpuPeaks)
    for (const reason of Object.values(uncertain)) assert.ok(reason.length > 10, name);
});

const H100 = 'NVIDIA H100 80GB HBM3';
const peakOf = (model: string, metric: string, by: Partial<ComputedBy> = {}): number | null =>
  specPeak(model, metric, { mode: null, path: null, ...by })?.tflops ?? null;

test('fp32 is held against tf32 where it ran on matrix units, against the lanes where it did not, and not where nobody says', () => {
  assert.equal(peakOf(H100, 'fp32_tflops', { mode: 'tf32' }), 494.7);
  assert.equal(peakOf(H100, 'fp32_tflops', { mode: 'simt' }), 66.9);
  assert.equal(peakOf(H100, 'fp32_tflops'), null);
  assert.equal(peakOf(H100, 'fp32_cuda_core_tflops', { mode: 'simt' }), 66.9);
  // Turing has no tf32: nothing of that name is on its sheet
  assert.equal(peakOf('Tesla T4', 'fp32_tflops', { mode: 'tf32' }), null);
});

test('fp64 is held against the matrix units unless it ran on the lanes, and the lanes where no unit does fp64', () => {
  assert.equal(peakOf(H100, 'fp64_tflops', { path: 'cublasLt' }), 66.9);
  assert.equal(peakOf(H100, 'fp64_tflops', { path: 'simt' }), 33.5);
  assert.equal(peakOf(H100, 'fp64_tflops'), null);
  assert.equal(peakOf('Tesla V100-SXM2-16GB', 'fp64_tflops', { path: 'cublasLt' }), 7.8);
  // MI250X: 95.7 on both dies
  assert.equal(peakOf('AMD Instinct MI250X', 'fp64_tflops', { path: 'mfma' }), 47.85);
  assert.equal(peakOf('AMD Instinct MI300X', 'fp64_tflops', { path: 'simt' }), 81.7);
});

test('each type has its own column; mixed precision takes fp16, the issue probe the column of its type', () => {
  const columns = ['fp16', 'bf16', 'fp8', 'mixed_precision'].map((type) => peakOf(H100, `${type}_tflops`));
  assert.deepEqual(columns, [989.4, 989.4, 1978.9, 989.4]);
  const issue = ['fp16', 'bf16', 'fp8', 'tf32', 'fp64'].map((type) => peakOf(H100, `matrix_issue_${type}_tflops`));
  assert.deepEqual(issue, [989.4, 989.4, 1978.9, 494.7, 66.9]);
  assert.equal(peakOf('AMD Instinct MI100', 'bf16_tflops'), 92.3);
});

test('no rate is invented: an unknown model, a slice, an unpublished or disputed figure and what is not a throughput have none', () => {
  assert.equal(peakOf('NVIDIA Z999', 'bf16_tflops'), null);
  assert.equal(peakOf('NVIDIA A100-SXM4-40GB MIG 1g.5gb', 'bf16_tflops'), null);
  assert.equal(peakOf('NVIDIA A100-SXM4-40GB', 'fp8_tflops'), null);
  assert.equal(peakOf('NVIDIA RTX PRO 6000 Blackwell Server Edition', 'bf16_tflops'), null, 'uncertain');
  assert.equal(peakOf('NVIDIA B200', 'fp64_tflops', { path: 'cublasLt' }), null, 'sheets say 37 and 40');
  assert.equal(peakOf(H100, 'memory_bandwidth_gbs'), null);
});

test('fp64 on matrix units is twice the lanes where it is more, within the rounding of the sheets', () => {
  let compared = 0;
  for (const { name, architecture, fp64_tflops: lanes, fp64_matrix_tflops: matrix } of gpuPeaks) {
    if (matrix === null) continue;
    assert.ok(lanes !== null, name);
    const factor = Math.round(matrix / lanes);
    const doubled = ['sm_80', 'sm_90', 'gfx90a', 'gfx942'].includes(architecture) && lanes > 1;
    assert.equal(factor, doubled ? 2 : 1, name);
    assert.ok(Math.abs(matrix / (factor * lanes) - 1) < 0.02, `${name}: ${matrix} of ${lanes}`);
    compared += 1;
  }
  assert.ok(compared >= 20, `${compared} models compared`);
});

test('our kernels are held to what libraries reach where a card has shown that they do, and nowhere else', () => {
  const verdict = (engine: 'own' | 'vendor', value: number, model = H100): string => {
    const band = bandOf(model, 'bf16_tflops', { engine }) ?? assert.fail();
    return judgeByBand(value, band).verdict;
  };
  // 0.58 x 989.4 = 573.9
  assert.deepEqual([verdict('vendor', 550), verdict('own', 550), verdict('own', 580)], ['warn', 'warn', 'ok']);
  assert.deepEqual([verdict('own', 1089), verdict('vendor', 1089)], ['bad', 'bad']);
  // B200, where they have not run: 0.6 x 2250 = 1350 for the library, 0.05 x 2250 = 112.5 for ours
  const B200 = 'NVIDIA B200';
  assert.deepEqual(
    [verdict('vendor', 1300, B200), verdict('own', 1300, B200), verdict('own', 112, B200)],
    ['warn', 'ok', 'warn'],
  );
  // What lies between is not called good: a remark says why.
  assert.equal(bandOf(B200, 'bf16_tflops', { engine: 'own' })?.unsure?.below, 0.6 * 2250);
  for (const [model, engine] of [
    [B200, 'vendor'],
    [H100, 'own'],
    [H100, 'vendor'],
  ] as const)
    assert.equal(bandOf(model, 'bf16_tflops', { engine })?.unsure, undefined);
});

test('the issue probe cannot pass the boost clock either', () => {
  const band = bandOf(H100, 'matrix_issue_bf16_tflops') ?? assert.fail();
  // 1.10 x 989.4 = 1088.3
  assert.deepEqual([judgeByBand(1060, band).verdict, judgeByBand(1090, band).verdict], ['ok', 'bad']);
});
