import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BandContext,
  bandOf,
  judgeByBand,
  judgePcieLink,
  type PcieLink,
} from '../../../coordinator/figures/plausibility.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const verdict = (model: string, metric: string, value: number, context: BandContext = {}): string | null => {
  const band = bandOf(model, metric, context);
  return band && judgeByBand(value, band).verdict;
};
const rule = (model: string, metric: string, value: number, context: BandContext = {}): string => {
  const band = bandOf(model, metric, context) ?? assert.fail(`no band for ${metric}`);
  return judgeByBand(value, band).rule;
};

test('memory bandwidth of a data-centre part: suspect below 0.95 of what a healthy H100 reached, and below 0.70 of the sheet where no card was measured; 1.00 is impossible above', () => {
  const memory = (value: number) => verdict(H100, 'memory_bandwidth_gbs', value);
  // 0.95 x 3017 = 2866.15
  assert.deepEqual([2866, 2867, 3025, 3350, 3351].map(memory), ['warn', 'ok', 'ok', 'ok', 'bad']);
  // 0.70 x 2039 = 1427.3
  assert.deepEqual(
    [1427, 1428].map((value) => verdict('NVIDIA A100-SXM4-80GB', 'memory_bandwidth_gbs', value)),
    ['warn', 'ok'],
  );
  assert.equal(
    rule(H100, 'memory_bandwidth_gbs', 5490),
    '5490 GB/s is above the physical limit of 3350 GB/s: 0.86 to 1.00 of the 3350 GB/s published for H100 SXM (NVIDIA H100 data sheet 2022; a healthy one reaches 3017: native/results, one card, driver 580.159.04, 2026-11-27)',
  );
});

test('a consumer part is sold overclocked: above its data sheet it is worth a look, not wrong', () => {
  assert.equal(verdict('NVIDIA GeForce RTX 4090', 'memory_bandwidth_gbs', 1100), 'warn');
  // 254 was measured of the 209.5 published: 1.21
  assert.equal(verdict('NVIDIA GeForce RTX 5090', 'bf16_tflops', 254), 'warn');
  assert.doesNotMatch(rule('NVIDIA GeForce RTX 5090', 'bf16_tflops', 254), /physical/);
});

test('MI300X streams reach 73 % when healthy, and are not called suspect for it', () => {
  assert.equal(verdict('AMD Instinct MI300X', 'memory_bandwidth_gbs', 3866), 'ok');
  // 0.65 x 5300 = 3445
  assert.equal(verdict('AMD Instinct MI300X', 'memory_bandwidth_gbs', 3444), 'warn');
});

test('fp32 on ordinary lanes may pass the sheet by the boost clock and no further', () => {
  // 1.10 x 66.9 = 73.59; H100 boosts to 1.98 GHz, 8 % above the clock of the sheet
  const probe = (value: number) => verdict(H100, 'fma_fp32_tflops', value);
  assert.deepEqual([66.9 * 1.08, 73.6, 23.4].map(probe), ['ok', 'bad', 'warn'], '0.35 x 66.9 = 23.415');
  assert.equal(verdict(H100, 'fp32_cuda_core_tflops', 73.6), 'bad');
  // 1.10 x 33.5 = 36.85
  assert.deepEqual(
    [33, 37].map((value) => verdict(H100, 'fma_fp64_tflops', value)),
    ['ok', 'bad'],
  );
  assert.equal(bandOf('NVIDIA L4', 'fma_fp64_tflops'), null, 'nobody publishes it');
  assert.equal(
    bandOf('AMD Instinct MI210', 'fma_fp32_tflops'),
    null,
    'packed instructions do twice the published rate',
  );
});

test('matrix rates: the floor of the model below, the boost clock above', () => {
  // 0.58 x 989.4 = 573.9 and 1.10 x 989.4 = 1088.3
  assert.deepEqual(
    [573, 574, 1088, 1089].map((value) => verdict(H100, 'bf16_tflops', value)),
    ['warn', 'ok', 'ok', 'bad'],
  );
  assert.equal(verdict(H100, 'fp16_tflops', 574), 'ok');
  assert.equal(verdict(H100, 'mixed_precision_tflops', 1089), 'bad');
  // 0.58 x 1978.9 = 1147.8
  assert.deepEqual(
    [1147, 1148].map((value) => verdict(H100, 'fp8_tflops', value)),
    ['warn', 'ok'],
  );
  assert.equal(bandOf('Tesla V100-SXM2-16GB', 'bf16_tflops'), null, 'Volta has none');
  assert.equal(bandOf('NVIDIA RTX 4000 Ada Generation', 'bf16_tflops'), null, 'uncertain');
});

test('fp32 multiply is judged by the engine it ran on, and not at all where that is unknown', () => {
  assert.equal(bandOf(H100, 'fp32_tflops'), null);
  // 0.58 x 494.7 = 286.9 on TF32; 60 is right on ordinary lanes
  assert.equal(verdict(H100, 'fp32_tflops', 365, { fp32_mode: 'tf32' }), 'ok');
  assert.equal(verdict(H100, 'fp32_tflops', 60, { fp32_mode: 'tf32' }), 'warn');
  assert.equal(verdict(H100, 'fp32_tflops', 60, { fp32_mode: 'simt' }), 'ok');
});

test('power: a card that measured at idle power is suspect, and none draws far above its cap', () => {
  const a100 = (value: number, power_cap_watts: number | null = 400) =>
    verdict('NVIDIA A100-SXM4-80GB', 'power_consumption_watts', value, { power_cap_watts });
  // 41.7 W over eight cards is 5.2 W each; 0.15 x 400 = 60
  assert.deepEqual(
    [5.2, 59, 61, 444, 461].map((value) => a100(value)),
    ['warn', 'warn', 'ok', 'ok', 'warn'],
    '1.15 x 400 = 460',
  );
  // a card capped at 100 W need not draw 60
  assert.deepEqual(
    [14, 16, 116].map((value) => a100(value, 100)),
    ['warn', 'ok', 'warn'],
  );
  assert.equal(a100(444, null), 'ok', 'without a cap the rated power stands in');
  const unknown = (value: number, context: BandContext) =>
    verdict('NVIDIA Unheard-of', 'power_consumption_watts', value, context);
  assert.equal(unknown(5, { power_cap_watts: 300 }), 'ok', 'idle power of an unknown card is unknown');
  assert.equal(unknown(346, { power_cap_watts: 300 }), 'warn');
  assert.equal(unknown(346, {}), null);
  assert.equal(unknown(346, { power_cap_watts: 300, power_scope: 'module' }), null, 'the module has a processor too');
});

test('temperature: 0 and 120 °C are not readings of a working sensor', () => {
  assert.deepEqual(
    [0, 1, 61, 119, 120, 255].map((value) => verdict('anything', 'temperature_centigrade', value)),
    ['bad', 'ok', 'ok', 'ok', 'bad', 'bad'],
  );
});

test('energy is power times time, within 10 %', () => {
  const context: BandContext = { energy: { power_watts: 360, seconds: 50 } };
  // 360 x 50 / 3600 = 5 Wh
  assert.deepEqual(
    [4.4, 4.6, 5, 5.4, 5.6].map((value) => verdict(H100, 'energy_consumption_wh', value, context)),
    ['warn', 'ok', 'ok', 'ok', 'warn'],
  );
  assert.match(rule(H100, 'energy_consumption_wh', 9, context), /within 10 % of 5 Wh, the 360 W x 50 s \/ 3600/);
  assert.equal(verdict(H100, 'energy_consumption_wh', 5.6, { energy: { integrated_wh: 5.2 } }), 'ok', '7.7 % above');
  assert.equal(bandOf(H100, 'energy_consumption_wh'), null);
});

test('a slice of a card is not held against the data sheet of the whole', () => {
  const context = { partitioned: true, power_cap_watts: 700 };
  assert.equal(bandOf('AMD Instinct MI300X', 'memory_bandwidth_gbs', context), null);
  assert.equal(bandOf(H100, 'power_consumption_watts', context), null);
  assert.equal(bandOf('NVIDIA H100 80GB HBM3 MIG 1g.10gb', 'memory_bandwidth_gbs'), null);
});

test('an unknown model, an uncertain figure and a figure without a rule have no band', () => {
  assert.equal(bandOf('NVIDIA Unheard-of', 'memory_bandwidth_gbs'), null);
  assert.equal(bandOf('NVIDIA B200', 'memory_bandwidth_gbs'), null, 'sheets say 8000 and 7700');
  assert.equal(bandOf(H100, 'l2_bandwidth_gbs'), null);
  assert.equal(bandOf(H100, 'kernel_launch_overhead_us'), null);
});

test('a figure that is not a number does not pass', () => {
  assert.equal(verdict(H100, 'memory_bandwidth_gbs', Number.NaN), 'warn');
});

const copy = (value: number, pcie: PcieLink | null, model = 'NVIDIA Unheard-of'): string | null => {
  const band = bandOf(model, 'host_to_device_bandwidth_gbs', { pcie });
  return band && judgeByBand(value, band).verdict;
};
const link = (generation: number, width: number): PcieLink => ({ generation, width });

test('a x16 link reaches 11, 22 and 48 GB/s in generations 3, 4 and 5, also on an unknown card', () => {
  assert.deepEqual(
    [10.9, 12.3].map((value) => copy(value, link(3, 16))),
    ['warn', 'ok'],
  );
  assert.deepEqual(
    [21.9, 26].map((value) => copy(value, link(4, 16))),
    ['warn', 'ok'],
  );
  assert.deepEqual(
    [47.9, 55].map((value) => copy(value, link(5, 16))),
    ['warn', 'ok'],
  );
});

test('no copy passes the wire', () => {
  // x16: 15.8, 31.5, 63.0 GB/s
  assert.deepEqual([copy(15.9, link(3, 16)), copy(31.6, link(4, 16)), copy(63.1, link(5, 16))], ['bad', 'bad', 'bad']);
  assert.equal(copy(31.4, link(4, 16)), 'ok');
});

test('a narrower link is expected to carry its share', () => {
  // 22 x 8 / 16 = 11; 8 x 1.969 = 15.75
  assert.deepEqual(
    [10.9, 11.1, 15.8].map((value) => copy(value, link(4, 8))),
    ['warn', 'ok', 'bad'],
  );
});

test('a figure within what card and slot can do accuses the reading of the link, not itself', () => {
  const idle = { generation: 1, width: 16, generation_max: 5, width_max: 16 };
  assert.equal(copy(55, idle), 'warn');
  // It was meant to carry 48 at least, whatever it was read as.
  assert.equal(copy(3.5, idle), 'warn');
  assert.equal(copy(47.9, idle), 'warn');
  const unread = { generation: null, width: null, generation_max: 5, width_max: 16 };
  assert.deepEqual(
    [47.9, 55, 64].map((value) => copy(value, unread)),
    ['warn', 'ok', 'warn'],
  );
});

test('a superchip reaches its host past PCIe, and an unknown link has no limit', () => {
  assert.equal(copy(380, link(5, 16), 'NVIDIA GH200 480GB'), null);
  assert.equal(copy(380, link(1, 16), 'NVIDIA GB300-WS'), null);
  assert.equal(copy(60, link(5, 16), 'AMD Instinct MI300A'), null);
  assert.equal(copy(55, null), null);
  assert.equal(copy(55, { generation: null, width: 16 }), null);
  assert.equal(copy(55, { generation: 5, width: 0 }), null);
});

test('a link below what card and slot can do is named with both', () => {
  const best = { generation: 5, width: 16, generation_max: 5, width_max: 16 };
  assert.equal(judgePcieLink(best)?.verdict, 'ok');
  assert.deepEqual(judgePcieLink({ ...best, width: 8 }), {
    verdict: 'warn',
    rule: 'PCIe link degraded: generation 5 x8 under load of generation 5 x16',
  });
  assert.equal(judgePcieLink({ ...best, generation: 4 })?.verdict, 'warn');
  assert.equal(judgePcieLink({ generation: 5, width: 16 }), null);
});
