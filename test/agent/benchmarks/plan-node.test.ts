import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planNode } from '../../../agent/benchmarks/plan-node.ts';
import { registry } from '../../native/support/registry.ts';

const gpus = (count: number, backend = 'cuda') =>
  Array.from({ length: count }, (_, index) => ({ device_id: `${backend}-${index}`, backend }));

test('the quick tier of 1, 2, 8 and 16 GPUs fits its minute: alone 36 s (one GPU 56), together 10 s, copies 10 s', () => {
  for (const count of [1, 2, 8, 16]) {
    const plan = planNode('quick', gpus(count));
    const matrix = plan.matrices.reduce((sum, one) => sum + one.seconds, 0);
    assert.ok(plan.alone.seconds <= (count === 1 ? 56 : 36), `${count}: ${plan.alone.seconds}`);
    assert.ok((plan.together?.seconds ?? 0) <= 10 && matrix <= 10, `${count}`);
    assert.equal(plan.together === null, count === 1);
    assert.deepEqual(
      plan.matrices.map((one) => one.cells),
      count === 1 ? [] : [count * (count - 1)],
    );
  }
});

test('a single device is measured in full; several share the time', () => {
  const scale = (count: number) => planNode('quick', gpus(count)).alone.time_scale;
  assert.equal(scale(1), 1);
  // (36 / 2 - 1) / 45.9 = 0.3703, (36 / 8 - 1) / 45.9 = 0.0762, (36 / 16 - 1) / 45.9 = 0.0272.
  assert.deepEqual([scale(2), scale(8), scale(16)], [0.37, 0.076, 0.027]);
  // 64 devices would need less than the runner takes.
  assert.equal(scale(64), 0.02);
});

test('a single device takes the runner’s planned time plus a start; measuring all at once includes a warm-up', () => {
  for (const tier of ['quick', 'standard', 'soak'] as const) {
    const sum = registry.benchmarks.reduce((total, { seconds }) => total + seconds[tier], 0);
    assert.equal(planNode(tier, gpus(1)).alone.seconds, sum + 1, tier);
  }
  // memory, fma and link: 1800 + 600 + 600 s; 30 s of warm-up, a start of 1 s and 2 x 0.25 s of pinning.
  assert.equal(planNode('soak', gpus(2)).together?.seconds, 3031.5);
});

test('less time for the node shortens each part in proportion, more time lengthens none', () => {
  // 30 of 60 s: alone (18 / 2 - 1) / 45.9 = 0.1742, together (5 - 1.5) / 9 = 0.3888, copies (5 - 1.04) / 8 = 0.495.
  const plan = planNode('quick', gpus(2), 30);
  assert.deepEqual(
    [plan.alone.time_scale, plan.together?.time_scale, plan.matrices[0]?.time_scale],
    [0.174, 0.388, 0.495],
  );
  assert.deepEqual(planNode('quick', gpus(2), 600), planNode('quick', gpus(2)));
});

test('the standard tier of 16 GPUs ends within 15 minutes, soak shortens nothing', () => {
  const plan = planNode('standard', gpus(16));
  const total = plan.alone.seconds + (plan.together?.seconds ?? 0) + (plan.matrices[0]?.seconds ?? 0);
  assert.ok(total <= 900, String(total));
  const soak = planNode('soak', gpus(8));
  assert.deepEqual([soak.alone.time_scale, soak.together?.time_scale, soak.matrices[0]?.time_scale], [1, 1, 1]);
});

test('processors are not measured together, and there are no copies between them', () => {
  const plan = planNode('quick', [{ device_id: 'cpu-0', backend: 'cpu' }]);
  assert.deepEqual([plan.alone.time_scale, plan.together, plan.matrices], [1, null, []]);
});

test('cards of two vendors in one machine all run together, and copies stay within a backend', () => {
  const plan = planNode('quick', [...gpus(2), ...gpus(3, 'rocm')]);
  assert.ok(plan.together !== null);
  assert.deepEqual(
    plan.matrices.map(({ backend, cells }) => [backend, cells]),
    [
      ['cuda', 2],
      ['rocm', 6],
    ],
  );
  assert.ok(plan.matrices.reduce((sum, one) => sum + one.seconds, 0) <= 10);
  assert.deepEqual(planNode('quick', [...gpus(1), ...gpus(1, 'rocm')]).matrices, []);
});
