import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeJudgement } from '../../../coordinator/figures/findings/node-judgement.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { cardOutliers } from '../../../coordinator/lifecycle/summary/card-outliers.ts';
import { type Device, upload } from '../jobs/upload.ts';

const card: Device = { engine: 'vendor' };

/** What is said of the cards of these nodes beside each node's own judgement: [node, device, figure, grade]. */
function outliers(nodes: readonly Device[][]): unknown[] {
  const results = nodes.map((devices, index) => ({
    task_id: String(index),
    machine_uuid: `m${index}`,
    late: false,
    started_at: null,
    ended_at: null,
    results: judgeResults(upload(`m${index}`, devices).benchmark_results.quick_mark),
  }));
  const judged = results.map((one) => nodeJudgement(one.results));
  return cardOutliers(results, judged, Number).map(({ nodes: [node], devices: [device], figures: [metric], grade }) => [
    node,
    device,
    metric,
    grade,
  ]);
}

test('one slow card of eight nodes with one card each is found, by the card', () => {
  const nodes = Array.from({ length: 8 }, (_, index) => [{ ...card, memory: index === 5 ? 2700 : 3000 }]);
  assert.deepEqual(outliers(nodes), [[5, 0, 'memory_bandwidth_gbs', 'bad']]);
});

test('what a node says of its own card is not said again for the job', () => {
  const eight = (slow: number | null): Device[] =>
    Array.from({ length: 8 }, (_, index) => ({ ...card, memory: index === slow ? 2700 : 3000 }));
  assert.deepEqual(outliers([eight(null), eight(3), eight(null)]), []);
});

test('cards of one node alone, other models and other engines are not compared here', () => {
  assert.deepEqual(outliers([[card, card, { ...card, memory: 2700 }]]), []);
  const a100: Device = { ...card, model: 'NVIDIA A100-SXM4-80GB', bf16: 265, memory: 1700 };
  assert.deepEqual(outliers([[card], [card], [card], [a100]]), []);
  // The one card by our own kernels has no peer in bf16.
  assert.deepEqual(outliers([[card], [card], [card], [{ engine: 'own', bf16: 500 }]]), []);
});
