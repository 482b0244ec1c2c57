import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEvent, ResultEvent } from '../../agent/kernels/runner-events.ts';
import { fmaPeak } from '../device/fma-peak.ts';
import { judgeEnergy } from '../device/judge-energy.ts';
import { judgeFigures } from '../device/judge-figures.ts';
import { judgeNode } from '../device/judge-node.ts';
import { type JudgedRow, verdictOf } from '../device/judged-row.ts';
import type { Turn } from '../device/measure-rounds.ts';
import type { RunnerRecord } from '../device/runner-record.ts';
import { short } from '../device/table.ts';

const device: DeviceEvent = {
  schema: 'gpumark.native/1',
  event: 'device',
  t_ms: 0,
  backend: 'cuda',
  vendor: 'nvidia',
  status: 'ok',
  detail: '',
  device_id: 'GPU-a',
  pci_id: '0000:01:00.0',
  name: 'A card',
  memory_bytes: 80e9,
  simulated: false,
  attributes: { architecture: 'sm_90', sm_count: 132 },
};

const result = (metric: string, value: number | null, details = {}, cv = 0.001): ResultEvent => ({
  schema: 'gpumark.native/1',
  event: 'result',
  t_ms: 0,
  device_id: 'GPU-a',
  benchmark: 'b',
  metric,
  value,
  unit: 'u',
  reason: value === null ? 'it was lost' : null,
  stats: value === null ? null : { n: 20, min: value, max: value, median: value, p5: value, p95: value, cv },
  verified: true,
  engine: 'own',
  details,
});

const run = (results: ResultEvent[], wall_seconds = 20): RunnerRecord => ({
  arguments: [],
  started_at: '',
  exit_code: 0,
  wall_seconds,
  devices: [],
  results,
  cells: [],
  errors: [],
  telemetry: {},
});

const turn = (results: ResultEvent[], torch: Record<string, number> | null = null): Turn => ({
  device_id: 'GPU-a',
  first: 'runner',
  run: run(results),
  peers: [
    {
      peer: 'torch',
      version: null,
      command: '',
      started_at: '',
      wall_seconds: 0,
      reason: torch === null ? 'python3 is not on PATH' : null,
      figures: Object.fromEntries(
        Object.entries(torch ?? {}).map(([name, median]) => [name, { median, n: 20, cv: 0 }]),
      ),
      details: {},
    },
  ],
  nvidia_smi: { before: null, after: null },
});

const row = (rows: JudgedRow[], id: string): JudgedRow => {
  const found = rows.find((one) => one.id === id);
  assert.ok(found !== undefined, id);
  return found;
};
const triadOf = (turns: Turn[]): JudgedRow => row(judgeFigures(device, turns), 'triad_gbs');
const triad = (gbs: number, cv = 0.001): ResultEvent => result('memory_bandwidth_gbs', gbs, {}, cv);

test('a ratio is the middle of the ratios of each round, so a drift of the card between rounds does not count', () => {
  // 3000/3000 = 1, 2700/2800 = 0.964, 2000/2020 = 0.990; the medians alone would give 2700/2800.
  const judged = triadOf([
    turn([triad(3000)], { triad_gbs: 3000 }),
    turn([triad(2700)], { triad_gbs: 2800 }),
    turn([triad(2000)], { triad_gbs: 2020 }),
  ]);
  assert.equal(judged.ratio, 2000 / 2020);
  assert.equal(judged.median, 2700);
  // (3000 - 2000) / 2700
  assert.equal(judged.spread, 1000 / 2700);
  assert.equal(judged.n, 60);
  assert.equal(verdictOf(judged), 'ok');
});

test('where a peer counts all its samples without a gap, that rate counts and not the median of the samples', () => {
  const gapless = turn([triad(2970)], { triad_gbs: 3100 });
  const [torch] = gapless.peers;
  assert.ok(torch);
  torch.figures['triad_gbs'] = { median: 3100, rate: 3000, n: 20, cv: 0 };
  assert.equal(triadOf([gapless]).ratio, 2970 / 3000);
});

test('the worst round decides on the CV, and one below the ratio is missed', () => {
  const disturbed = triadOf([
    turn([triad(3000, 0.002)], { triad_gbs: 3000 }),
    turn([triad(3000, 0.011)], { triad_gbs: 3000 }),
  ]);
  assert.equal(disturbed.cv_worst, 0.011);
  assert.equal(verdictOf(disturbed), 'MISSED');
  // 2939 / 3000 = 0.9797 against 0.98
  assert.equal(verdictOf(triadOf([turn([triad(2939)], { triad_gbs: 3000 })])), 'MISSED');
  assert.equal(verdictOf(triadOf([turn([triad(2940)], { triad_gbs: 3000 })])), 'ok');
});

test('a figure missing in one round is missed; a missing peer is reported separately', () => {
  const lost = triadOf([
    turn([triad(3000)], { triad_gbs: 3000 }),
    turn([result('memory_bandwidth_gbs', null)], { triad_gbs: 3000 }),
  ]);
  assert.equal(verdictOf(lost), 'MISSED');
  assert.equal(lost.reason, 'it was lost');
  const alone = triadOf([turn([triad(3000)])]);
  assert.equal(verdictOf(alone), 'no peer');
  assert.equal(alone.checks.find((one) => one.verdict === 'no peer')?.reason, 'python3 is not on PATH');
});

test('the lanes of a multiprocessor result in the data sheets’ peaks', () => {
  // H100 SXM: 128 lanes x 2 x 132 x 1.98 GHz = 66.9 TFLOP/s fp32, half of it fp64, 133.8 fp16
  assert.equal(fmaPeak('sm_90', 'fp32', 132, 1.98)?.tflops.toFixed(1), '66.9');
  assert.equal(fmaPeak('sm_90', 'fp64', 132, 1.98)?.tflops.toFixed(1), '33.5');
  assert.equal(fmaPeak('sm_90', 'fp16', 132, 1.98)?.tflops.toFixed(1), '133.8');
  // A100: 64 x 2 x 108 x 1.41 = 19.5; MI300X: 128 x 2 x 304 x 2.1 = 163.4
  assert.equal(fmaPeak('sm_80', 'fp32', 108, 1.41)?.tflops.toFixed(1), '19.5');
  assert.equal(fmaPeak('gfx942', 'fp32', 304, 2.1)?.tflops.toFixed(1), '163.4');
  assert.equal(fmaPeak('sm_999', 'fp32', 1, 1), null);
});

test('a multiply-add probe is compared at the clock of its own launches', () => {
  // At 1.5 GHz the peak is 128 x 2 x 132 x 1.5 / 1000 = 50.688; 49 / 50.688 = 0.9667
  const judged = row(
    judgeFigures(device, [turn([result('fma_fp32_tflops', 49, { clock_ghz: 1.5 })])]),
    'fma_fp32_tflops',
  );
  assert.ok(Math.abs(Number(judged.ratio) - 49 / 50.688) < 1e-12);
  assert.equal(verdictOf(judged), 'ok');
});

const product = (vendor: object, own: object): ResultEvent =>
  result('bf16_tflops', 700, { n: 8192, engines: { vendor, own } });
const reached = (tflops: number) => ({ tflops, cv: 0.005 });

test("the vendor's library is compared with torch, our kernels with the library and with torch", () => {
  const rows = judgeFigures(device, [turn([product(reached(700), reached(660))], { matmul_bf16_tflops: 710 })]);
  // 700 / 710 = 0.986 < 0.99; 660 / 700 = 0.943 < 0.95 of sm_90
  assert.deepEqual(
    [verdictOf(row(rows, 'vendor_bf16_tflops')), row(rows, 'vendor_bf16_tflops').ratio],
    ['MISSED', 700 / 710],
  );
  assert.deepEqual(
    [verdictOf(row(rows, 'own_bf16_tflops')), row(rows, 'own_bf16_tflops').ratio],
    ['MISSED', 660 / 700],
  );
  assert.equal(row(rows, 'own_bf16_tflops_torch').ratio, 660 / 710);
  const good = judgeFigures(device, [turn([product(reached(705), reached(670))], { matmul_bf16_tflops: 710 })]);
  assert.equal(verdictOf(row(good, 'vendor_bf16_tflops')), 'ok');
  assert.equal(verdictOf(row(good, 'own_bf16_tflops')), 'ok');
});

test("a machine without the vendor's library misses no target for it, and a device without fp8 none at all", () => {
  const rows = judgeFigures(device, [
    turn([
      product({ reason: 'no libcublasLt.so was found' }, reached(660)),
      result('fp8_tflops', null, { absence: 'hardware' }),
    ]),
  ]);
  assert.equal(verdictOf(row(rows, 'vendor_bf16_tflops')), 'skipped');
  assert.equal(verdictOf(row(rows, 'own_bf16_tflops')), 'no peer');
  assert.equal(verdictOf(row(rows, 'own_fp8_tflops')), 'skipped');
  // Our own kernels are part of the runner: if it has a figure, they must have one.
  const refused = judgeFigures(device, [
    turn([product(reached(700), { reason: 'every kernel gave a wrong product' })]),
  ]);
  assert.equal(verdictOf(row(refused, 'own_bf16_tflops')), 'MISSED');
});

test('energy is judged where counter and integrated power differ most; without a counter there is nothing to judge', () => {
  const energy = (counter_wh: number | null, ratio: number | null): Turn =>
    turn([result('energy_consumption_wh', 1, { counter_wh, integrated_wh: 1, ratio })]);
  assert.equal(verdictOf(judgeEnergy('GPU-a', [energy(1.01, 1.01), energy(0.96, 0.96)])), 'ok');
  const off = judgeEnergy('GPU-a', [energy(1.01, 1.01), energy(0.94, 0.94), energy(1.04, 1.04)]);
  assert.equal(off.checks[0]?.value, 0.94);
  assert.equal(verdictOf(off), 'MISSED');
  assert.equal(verdictOf(judgeEnergy('GPU-a', [energy(null, null)])), 'no peer');
  assert.equal(verdictOf(judgeEnergy('GPU-a', [turn([])])), 'MISSED');
});

test('the quick tier takes all its processes, and the slowest round counts; a shortened one is not judged', () => {
  const rounds = [50, 61].map((seconds, index) => ({
    round: index + 1,
    turns: [{ ...turn([]), run: run([], seconds - 5) }],
    together: run([], 3),
    matrices: [run([], 2)],
  }));
  const whole = row(judgeNode([device], [run([])], rounds, 1), 'quick_tier_seconds');
  assert.deepEqual(whole.rounds, [50, 61]);
  assert.equal(verdictOf(whole), 'MISSED');
  assert.equal(verdictOf(row(judgeNode([device], [run([])], rounds.slice(0, 1), 1), 'quick_tier_seconds')), 'ok');
  assert.equal(verdictOf(row(judgeNode([device], [run([])], rounds, 0.5), 'quick_tier_seconds')), 'skipped');
});

test('numbers of the table fit seven characters', () => {
  const shown = [3012.44, 29.8765, 0.0425, 0.000231, 1.9876, 66912.3, 1234567.8, 0.999996, 9.99999];
  assert.deepEqual(shown.map(short), [
    '3012.4',
    '29.877',
    '0.0425',
    '2.3e-4',
    '1.9876',
    '66912',
    '1.2e+6',
    '1.0000',
    '10.0000',
  ]);
});
