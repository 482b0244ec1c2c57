// The class of a figure's load is checked on arrival, and figures of several classes are neither added up unsaid nor one vote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadClass } from '../../../coordinator/contract/load-class.ts';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { aggregateEngines } from '../../../coordinator/figures/aggregate-figures.ts';
import { jointLoad } from '../../../coordinator/figures/compare-loads.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { nodeFigures, rankIndex, votingFigures } from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { figuresForPeers } from '../../../coordinator/lifecycle/performance/peer-figures.ts';
import { upload } from '../jobs/upload.ts';

const node = (loads: readonly (LoadClass | null)[], details: Record<string, unknown> = {}) => {
  const results = upload(
    'm',
    loads.map((load) => ({ model: 'NVIDIA Unlisted', load })),
  ).benchmark_results.quick_mark;
  for (const device of results.test_results) device.details = { bf16_tflops: details };
  return judgeResults(results);
};
const loadOf = (device: QuickMarkTestResult | undefined): LoadClass | undefined => device?.gemm?.['bf16_tflops']?.load;

test('a class better than its own seconds bear out is stored as brief, and every other as it was sent', () => {
  const stored = (load: LoadClass | null, before_seconds?: number, counted_seconds?: number) =>
    loadOf(node([load], { before_seconds, counted_seconds }).test_results[0]);
  assert.equal(stored('sustained', 1.6, 1.2), 'sustained');
  // 1.6 s and 1.2 s read on two clocks, half a percent
  assert.equal(stored('sustained', 1.593, 1.195), 'sustained');
  for (const [before, counted] of [
    [1.59, 1.2],
    [1.6, 1.19],
    [0, 0.25],
  ] as const)
    for (const load of ['sustained', 'settled'] as const) assert.equal(stored(load, before, counted), 'brief');
  assert.equal(stored('burst', 0, 0.25), 'burst');
  assert.equal(stored('sustained'), 'sustained', 'of a large result the seconds may be left out');
  assert.equal(stored(null, 1.6, 1.2), undefined, 'a class that was not told is not made up');
});

test('devices of a node have the class that all of them have: settled ones are sustained too, others are mixed', () => {
  assert.equal(jointLoad(['settled', 'settled']), 'settled');
  assert.equal(jointLoad(['settled', 'sustained']), 'sustained');
  for (const other of ['brief', 'burst', null] as const) assert.equal(jointLoad(['sustained', other]), 'mixed');
  assert.equal(jointLoad([null, null]), null);
});

test('a product without a class ranks and votes with nothing, what has no class does as before', () => {
  for (const loads of [
    [null, null],
    ['brief', 'brief'],
    ['sustained', 'brief'],
  ] as const) {
    const judged = node(loads);
    const rank = rankIndex(nodeFigures(judged.test_results) ?? assert.fail());
    assert.deepEqual(rank, { group: 'one|nvidia|nvidia unlisted|memory_bandwidth_gbs', index: 3000 });
    const told = Object.keys(figuresForPeers(judged));
    assert.deepEqual(
      told.filter((key) => key.includes('tflops')),
      [],
    );
    assert.ok(told.includes('memory_bandwidth_gbs'));
  }
  const voting = votingFigures(node(['settled', 'sustained']).test_results);
  assert.deepEqual([voting?.bf16_load, voting?.figures.bf16_tflops], ['sustained', 715]);
});

test('a sum over loads of different classes says so', () => {
  const part = (load: LoadClass) => ({ gemm: { bf16_tflops: { engine: 'own' as const, load } } });
  const notesOf = (...loads: LoadClass[]) => aggregateEngines(loads.map(part), ['bf16_tflops']).notes;
  assert.equal(notesOf('sustained', 'settled'), undefined);
  assert.deepEqual(notesOf('sustained', 'brief'), [
    'bf16_tflops: measured too briefly to show what the card sustains and under sustained load; the sum mixes them and cannot be compared with others',
  ]);
});
