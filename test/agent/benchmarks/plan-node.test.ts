import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('the quick tier of 1, 2, 4, 8 and 16 GPUs ends within its minute, 4 s of it for the list and the inventory', () => {
  for (const count of [1, ...COUNTS]) {
    const seconds = secondsOf(planNode('quick', gpus(count)));
    assert.ok(seconds <= 56, `${count}: ${seconds}`);
    // Up to eight leave the 4.5 s that products take beside their planned time.
    if (count > 1 && count <= 8) assert.ok(seconds <= 51.5, `${count}: ${seconds}`);
  }
});

test('the headline of each product of several GPUs is sustained: 1.2 s counted after 1.6 s, as of one GPU', () => {
  // Shares of a product's time in the quick tier: 0.4 before (gemm-series.cpp), 0.3 counted (drift.cpp).
  for (const count of COUNTS) {
    const { together } = planNode('quick', gpus(count));
    assert.equal(together?.time_scale, 1, String(count));
    for (const id of ['gemm_fp64', 'gemm_fp16', 'gemm_bf16', 'gemm_fp8', 'gemm_mixed']) {
      assert.ok(together.benchmarks.includes(id), id);
      const seconds: number = sum('quick', [id]) * together.time_scale;
      assert.ok(0.4 * seconds >= 1.6 && 0.3 * seconds >= 1.2 - 1e-9, `${id}: ${seconds}`);
    }
    // Two arithmetics of fp32 share its time.
    assert.ok(sum('quick', ['gemm_fp32']) / 2 >= 4);
  }
});

test('every benchmark is measured, in all at once or briefly, and what is taken in turns is also measured at once', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    for (const count of COUNTS) {
      const { together, turns } = planNode(tier, gpus(count));
      const all = [...(together?.benchmarks ?? []), ...(turns?.briefly ?? [])];
      assert.deepEqual(all.toSorted(), planned.map(({ id }) => id).toSorted(), `${tier} ${count}`);
      for (const id of ['memory', 'fma', 'link']) assert.ok(turns?.benchmarks.includes(id), `${tier} ${count} ${id}`);
    }
  }
});

test('what a GPU reaches alone is never a burst beside a sustained product: products are taken in turns in full, or not at all', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    for (const count of COUNTS) {
      const { turns } = planNode(tier, gpus(count));
      assert.equal(turns?.benchmarks.includes('gemm_bf16'), tier !== 'quick', `${tier} ${count}`);
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
  assert.equal(one, sum('soak') + 1);
  for (const count of COUNTS) {
    const plan = planNode('soak', gpus(count));
    assert.deepEqual([plan.together?.time_scale, plan.swings], [1, 60]);
    // 30 s of warm-up, 60 swings of 4 s.
    assert.ok((plan.together?.seconds ?? 0) < one + 275, `${count}: ${plan.together?.seconds}`);
    assert.ok(secondsOf(plan) < 1.01 * one + 275, `${count}: ${secondsOf(plan)}`);
  }
});

test('a single device takes the runner’s planned time plus a start, at full length', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    const { alone, together, turns, swings, matrices } = planNode(tier, gpus(1));
    assert.deepEqual([alone.seconds, alone.time_scale], [sum(tier) + 1, 1], tier);
    assert.deepEqual([together, turns, swings, matrices], [null, null, 0, []]);
  }
});

test('the rest of the minute is one scale for turns and copies, and the runner’s shortest where it does not suffice', () => {
  const scales = (count: number) => {
    const { turns, matrices } = planNode('quick', gpus(count));
    return [turns?.time_scale, ...matrices.map((one) => one.time_scale)];
  };
  // 51.5 s less 38.6 of headline figures, 2 of warm-up and a start: 9.9 s. Two GPUs: fixed 1 + 4 x 0.15 and 1 + 2 x 0.02 s;
  // 2 of warm-up, 7.3 of brief ones, 2 x 7 in turns and 8 of copies: (9.9 - 2.64) / 31.3 = 0.2319.
  assert.deepEqual(scales(2), [0.231, 0.231]);
  // (9.9 - 1 - 16 x 0.15 - 1 - 56 x 0.02) / (2 + 7.3 + 8 x 7 + 8) = 0.0597.
  assert.deepEqual(scales(8), [0.059, 0.059]);
  assert.deepEqual(scales(16), [0.02, 0.02]);
});

test('less time for the node shortens all parts, more time lengthens none, and a soak is not shortened', () => {
  const plan = planNode('quick', gpus(2), 30);
  assert.ok(secondsOf(plan) <= 28, String(secondsOf(plan)));
  // Half of 41.6 s, less the start of 1 s, of 40.6 s.
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
  assert.ok(secondsOf(plan) <= 51.5, String(secondsOf(plan)));
  assert.deepEqual(planNode('quick', [...gpus(1), ...gpus(1, 'rocm')]).matrices, []);
});
