import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tierSeconds } from '../../../coordinator/contract/tier-seconds.ts';
import { planNode } from '../../../agent/benchmarks/plan-node.ts';
import type { NodePlan } from '../../../agent/benchmarks/plan-node.ts';
import { registry } from '../../native/support/registry.ts';

const COUNTS = [2, 4, 8, 16];
const gpus = (count: number, backend = 'cuda') =>
  Array.from({ length: count }, (_, index) => ({ device_id: `${backend}-${index}`, backend }));
const copying = (plan: NodePlan): number => plan.matrices.reduce((sum, one) => sum + one.seconds, 0);
const secondsOf = (plan: NodePlan): number =>
  plan.together === null ? plan.alone.seconds : plan.together.seconds + (plan.turns?.seconds ?? 0) + copying(plan);
const planned = registry.benchmarks.filter(({ spans }) => !spans);
const sum = (tier: 'quick' | 'standard' | 'soak', ids = planned.map(({ id }) => id)): number =>
  planned.filter(({ id }) => ids.includes(id)).reduce((total, { seconds }) => total + seconds[tier], 0);

/** Of the 60 s: the list of devices and the inventory. */
const OTHER = 4;
/** Beside the planned time of seven products: the most on an H100 and an H200 (native/results), and a rest before each burst. */
const PREPARING = 8.4 + 7 * 0.25;
const BLOCK_SCALED = ['gemm_nvfp4', 'gemm_mxfp4', 'gemm_mxfp8'];
/** Benchmarks of one arithmetic with a field of their own in the results, and two arithmetics in one benchmark. */
const PRODUCTS = ['gemm_fp64', 'gemm_fp16', 'gemm_bf16', 'gemm_fp8', 'gemm_mixed', ...BLOCK_SCALED];

test('the quick tier of 1, 2, 4, 8 and 16 GPUs ends within its minute, 4 s of it for the list and the inventory', () => {
  for (const count of [1, ...COUNTS]) {
    const seconds = secondsOf(planNode('quick', gpus(count)));
    assert.ok(seconds <= 56 + 1e-9, `${count}: ${seconds}`);
    // Up to eight leave 6.5 s for preparing the products, whose time for ten of them has not been measured.
    if (count <= 8) assert.ok(seconds <= 49.5 + 1e-9, `${count}: ${seconds}`);
    // Cards without block-scaled products leave their time, which is more than preparing the others takes.
    const less = seconds - sum('quick', BLOCK_SCALED);
    assert.ok(OTHER + less + PREPARING <= 60, `${count}: ${OTHER + less + PREPARING}`);
  }
});

test('every headline product of 1 to 16 GPUs is sustained in quick: 1.2 s counted after 1.6 s, block-scaled ones too', () => {
  for (const count of [1, ...COUNTS]) {
    const { alone, together } = planNode('quick', gpus(count));
    const { time_scale } = together ?? alone;
    assert.equal(time_scale, 1, String(count));
    for (const id of [...PRODUCTS, 'gemm_fp32']) assert.ok(together?.benchmarks.includes(id) ?? count === 1, id);
    // What test/native/real-time/load-classes.test.ts sees a runner make of a product's 3.5 s; two arithmetics share gemm_fp32.
    for (const seconds of [...PRODUCTS.map((id) => sum('quick', [id])), sum('quick', ['gemm_fp32']) / 2])
      assert.equal(seconds, 3.5);
  }
});

test('multiply-add and issue peaks are brief in quick, and sustained in the longer tiers: 2.8 s for each of three and five', () => {
  assert.ok(sum('quick', ['fma']) / 3 < 2.8 && sum('quick', ['matrix_issue']) / 5 < 2.8);
  for (const tier of ['standard', 'soak'] as const)
    assert.ok(sum(tier, ['fma']) / 3 >= 2.8 && sum(tier, ['matrix_issue']) / 5 >= 2.8, tier);
  // Eight of them sustained would be 22.4 s, of which the minute of eight cards has 1.5 + 1 and 1.5 to spare.
  const { turns, matrices } = planNode('quick', gpus(8));
  assert.ok((turns?.time_scale ?? 1) < 0.1 && (matrices[0]?.time_scale ?? 1) < 0.1);
});

test('every benchmark is measured, in all at once or briefly, and what is taken in turns is also measured at once', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    for (const count of COUNTS) {
      const { together, turns } = planNode(tier, gpus(count));
      const all = [...(together?.benchmarks ?? []), ...(turns?.briefly ?? [])];
      assert.deepEqual(all.toSorted(), planned.map(({ id }) => id).toSorted(), `${tier} ${count}`);
      for (const id of ['memory', 'link']) assert.ok(turns?.benchmarks.includes(id), `${tier} ${count} ${id}`);
    }
  }
});

test('what a GPU reaches alone is of the class of what all reach: products and multiply-adds are taken in turns in full, or not', () => {
  const turnOf = (id: string) => registry.benchmarks.find((one) => one.id === id)?.turn_seconds ?? 0;
  assert.ok(turnOf('fma') / 3 >= 2.8 - 1e-9 && turnOf('gemm_bf16') === 3.5);
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    for (const count of COUNTS) {
      const { turns } = planNode(tier, gpus(count));
      for (const id of ['fma', 'gemm_bf16'])
        assert.equal(turns?.benchmarks.includes(id), tier !== 'quick', `${tier} ${count} ${id}`);
      if (tier !== 'quick') assert.deepEqual([turns?.tier, turns?.time_scale], ['quick', 1]);
    }
  }
});

test('the standard tier of 1 to 16 GPUs ends within 15 minutes, with every part at full length', () => {
  for (const count of [1, ...COUNTS]) {
    const plan = planNode('standard', gpus(count));
    assert.ok(secondsOf(plan) <= 890, `${count}: ${secondsOf(plan)}`);
    for (const matrix of plan.matrices) assert.equal(matrix.time_scale, 1);
  }
});

test('a soak of many GPUs takes as long as of one, but for the swings of four minutes, the turns and the copies', () => {
  const one = secondsOf(planNode('soak', gpus(1)));
  assert.equal(one, sum('soak') + 31);
  for (const count of COUNTS) {
    const plan = planNode('soak', gpus(count));
    assert.deepEqual([plan.together?.time_scale, plan.swings], [1, 60]);
    // 60 swings of 4 s, and host memory that is pinned for one card after the other.
    assert.ok((plan.together?.seconds ?? 0) < one + 245, `${count}: ${plan.together?.seconds}`);
    assert.ok(secondsOf(plan) < 1.01 * one + 245, `${count}: ${secondsOf(plan)}`);
  }
});

test('a single device takes the runner’s planned time, its warm-up and a start, at full length', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    const { alone, together, turns, swings, matrices } = planNode(tier, gpus(1));
    assert.deepEqual([alone.seconds, alone.time_scale], [sum(tier) + (tier === 'quick' ? 1.5 : 30) + 1, 1], tier);
    assert.deepEqual([together, turns, swings, matrices], [null, null, 0, []]);
  }
});

test('the rest of the minute is one scale for turns and copies, and the runner’s shortest where it does not suffice', () => {
  const scales = (count: number) => {
    const { turns, matrices } = planNode('quick', gpus(count));
    return [turns?.time_scale, ...matrices.map((one) => one.time_scale)];
  };
  // 49.5 s less 40 of headline figures, 1.5 of warm-up and a start: 7 s. Two GPUs: fixed 1 + 4 x 0.15 and 1 + 2 x 0.02 s;
  // 1.5 of warm-up, 7 of brief ones, 2 x 3 in turns and 8 of copies: (7 - 2.64) / 22.5 = 0.1938.
  assert.deepEqual(scales(2), [0.193, 0.193]);
  // (7 - 1 - 16 x 0.15 - 1 - 56 x 0.02) / (1.5 + 7 + 8 x 3 + 8) = 0.0365.
  assert.deepEqual(scales(8), [0.036, 0.036]);
  assert.deepEqual(scales(16), [0.02, 0.02]);
});

test('less time for the node shortens all parts, more time lengthens none, and a soak is not shortened', () => {
  const plan = planNode('quick', gpus(2), 30);
  assert.ok(secondsOf(plan) <= 28, String(secondsOf(plan)));
  // Half of 42.5 s, less the start of 1 s, of 41.5 s.
  assert.equal(plan.together?.time_scale, 0.487);
  assert.deepEqual(planNode('quick', gpus(2), 600), planNode('quick', gpus(2)));
  assert.deepEqual(planNode('soak', gpus(2), 600), planNode('soak', gpus(2)));
});

test('processors are not measured together, and there are no copies between them', () => {
  const plan = planNode('quick', [{ device_id: 'cpu-0', backend: 'cpu' }]);
  assert.deepEqual([plan.alone.time_scale, plan.together, plan.turns, plan.matrices], [1, null, null, []]);
});

test('cards of two vendors in one machine all run together, and copies stay within a backend', () => {
  const plan = planNode('quick', [...gpus(2), ...gpus(3, 'rocm')]);
  assert.ok(plan.together !== null && plan.turns !== null);
  assert.deepEqual(
    plan.matrices.map(({ backend, cells }) => [backend, cells]),
    [
      ['cuda', 2],
      ['rocm', 6],
    ],
  );
  assert.ok(secondsOf(plan) <= 49.5, String(secondsOf(plan)));
  assert.deepEqual(planNode('quick', [...gpus(1), ...gpus(1, 'rocm')]).matrices, []);
});

test('what pages promise for each tier is what it is planned for: a minute, a quarter of an hour, 16 hours', () => {
  for (const count of [1, 8]) {
    assert.ok(secondsOf(planNode('quick', gpus(count))) <= tierSeconds.quick);
    assert.ok(secondsOf(planNode('standard', gpus(count))) <= tierSeconds.standard);
    const soak = secondsOf(planNode('soak', gpus(count)));
    assert.equal(Math.round(soak / 3600), tierSeconds.soak / 3600, `${count}: ${soak} s`);
  }
});
