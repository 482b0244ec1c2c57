import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { judgeResults, judgeStored } from '../../../coordinator/figures/judge-results.ts';
import { nodeFigures, rankIndex, votingFigures } from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { H100, upload, type Device } from '../jobs/upload.ts';

/** One device as it is kept, after `change` of what its agent sent. */
function judged(device: Device, change: Partial<QuickMarkTestResult> = {}): QuickMarkTestResult {
  const results = upload('m', [{ engine: 'vendor', ...device }]).benchmark_results.quick_mark;
  results.test_results = results.test_results.map((one) => ({ ...one, ...change }));
  const [kept] = judgeResults(results).test_results;
  assert.ok(kept);
  return kept;
}
const counts = (device: QuickMarkTestResult): { votes: boolean; ranks: boolean } => {
  const figures = nodeFigures([device]);
  return { votes: votingFigures([device]) !== null, ranks: figures !== null && rankIndex(figures) !== null };
};
const nowhere = { votes: false, ranks: false };

test('an ordinary card votes and ranks; an agent’s own verdict is overruled only by a worse one', () => {
  assert.deepEqual(counts(judged({})), { votes: true, ranks: true });
  const rule = 'passed: spread';
  const lying = judged({ memory: 4000 }, { verdicts: { memory_bandwidth_gbs: { verdict: 'ok', rule } } });
  assert.equal(lying.verdicts?.['memory_bandwidth_gbs']?.verdict, 'bad');
  const strict = judged({}, { verdicts: { memory_bandwidth_gbs: { verdict: 'warn', rule: 'baseline: 4 % worse' } } });
  assert.deepEqual(strict.verdicts?.['memory_bandwidth_gbs'], { verdict: 'warn', rule: 'baseline: 4 % worse' });
  assert.equal(votingFigures([strict])?.figures.memory_bandwidth_gbs, null);
  assert.equal(strict.verdicts?.['bf16_tflops']?.rule, 'judged by the coordinator: passed: verification, spec band');
});

test('spread, verification and uncorrected errors count here as on the machine that measured', () => {
  const stats = { n: 11, min: 1, max: 1, median: 1, p5: 1, p95: 1, cv: 0.2 };
  const device = judged(
    {},
    {
      details: {
        bf16_tflops: { stats },
        host_to_device_bandwidth_gbs: { verified: false },
        temperature_centigrade: { ecc_uncorrected_during_run: 3 },
      },
    },
  );
  const verdict = (metric: string) => device.verdicts?.[metric]?.verdict;
  assert.deepEqual(
    ['bf16_tflops', 'host_to_device_bandwidth_gbs', 'memory_bandwidth_gbs', 'device_to_host_bandwidth_gbs'].map(
      verdict,
    ),
    ['warn', 'bad', 'bad', 'ok'],
  );
  assert.match(device.unranked ?? '', /^host_to_device_bandwidth_gbs/, 'a figure that failed its check');
});

test('figures beside those of the interface are judged like them, and none is made up', () => {
  const honest = judged(
    {},
    { tf32_tflops: 400, nvfp4_tflops: null, unavailable: { nvfp4_tflops: 'no unit does that' } },
  );
  assert.deepEqual(counts(honest), { votes: true, ranks: true });
  assert.deepEqual(
    ['tf32_tflops', 'nvfp4_tflops', 'mxfp8_tflops'].map((metric) => honest.verdicts?.[metric]?.verdict),
    ['ok', 'absent', undefined],
  );
  // The sheet says 494.7 TFLOP/s.
  const lying = judged({}, { tf32_tflops: 2000 });
  assert.equal(lying.verdicts?.['tf32_tflops']?.verdict, 'bad');
  assert.deepEqual(counts(lying), nowhere);
});

test('judging again changes nothing, and what an upload says of its rank is dropped', () => {
  const results = upload('m', [{ memory: 4000 }, {}]).benchmark_results.quick_mark;
  const once = judgeResults(results);
  assert.deepEqual(judgeResults(once), once);
  assert.equal(judged({}, { unranked: 'so that mine looks odd' }).unranked, undefined);
});

test('spaces, invisible letters and case make no group of their own and do not dodge the band', () => {
  const plain = nodeFigures([judged({})]);
  for (const model of [
    `  ${H100} `,
    'NVIDIA  H100\t80GB HBM3',
    'NVIDIA\u200b H100 80GB\u00a0HBM3',
    'nvidia h100 80gb hbm3',
    'NVIDIA Ｈ100 80GB HBM3',
  ]) {
    const figures = nodeFigures([judged({ model })]);
    assert.deepEqual(
      [figures?.model_key, figures && rankIndex(figures)],
      [plain?.model_key, plain && rankIndex(plain)],
    );
    assert.deepEqual(counts(judged({ model, bf16: 3000 })), nowhere, JSON.stringify(model));
  }
});

test('letters of another alphabet, another maker and a processor’s label make a card no measure for others', () => {
  assert.deepEqual(counts(judged({ model: 'NVIDIA \u041d100 80GB HBM3' })), nowhere, 'a Cyrillic letter');
  assert.deepEqual(counts(judged({ vendor: 'amd' })), nowhere);
  assert.deepEqual(counts(judged({ vendor: 'cpu' })), nowhere);
  assert.deepEqual(counts(judged({ vendor: 'cpu', model: 'AMD EPYC 9965', bf16: 9000, copies: null })), nowhere);
  const processor = judged({ vendor: 'cpu', model: 'AMD EPYC 9965', bf16: 20, memory: 900, copies: null });
  assert.deepEqual(counts(processor), { votes: true, ranks: true });
});

test('a claim that relaxes the band makes no figure of a whole card right', () => {
  assert.deepEqual(counts(judged({ bf16: 3000 }, { gpu_id: 'MIG-1' })), nowhere);
  assert.deepEqual(counts(judged({ bf16: 100 }, { gpu_id: 'MIG-1' })), nowhere, 'a slice under the name of its card');
  assert.deepEqual(counts(judged({}, { details: { device: { partition: { compute: 'CPX' } } } })), nowhere);
  const link = { pcie_under_load: { generation_current: 6, width_current: 64 } };
  const details = { host_to_device_bandwidth_gbs: link, device_to_host_bandwidth_gbs: link };
  assert.deepEqual(counts(judged({ copies: 400 }, { details })), nowhere, 'a link that the card does not have');
  // sheets contradict each other on this figure, and no reading of them allows this
  assert.deepEqual(counts(judged({ model: 'NVIDIA B200', bf16: 1700, memory: 50_000 })), nowhere);
});

test('a figure that only its record in the details holds is judged too, by its value', () => {
  const record = (value: number) => ({ value, unit: 'TFLOP/s', verified: true, path: 'cublasLt', stats: null });
  const passed = { verdict: 'ok', rule: 'passed: spread, spec band' } as const;
  // The sheet of an H100 SXM says 66.9 TFLOP/s for fp64 on matrix units and for fp32 on the lanes, 33.5 for fp64 on the lanes.
  const honest = judged({}, { details: { fp64_tflops: record(52.8), fma_fp64_tflops: record(33.2) } });
  assert.deepEqual(
    ['fp64_tflops', 'fma_fp64_tflops'].map((metric) => honest.verdicts?.[metric]?.verdict),
    ['ok', 'ok'],
  );
  assert.deepEqual(counts(honest), { votes: true, ranks: true });
  for (const [metric, value] of Object.entries({
    fp64_tflops: 170,
    fma_fp64_tflops: 90,
    fma_fp32_tflops: 170,
    matrix_issue_fp16_tflops: 2500,
    matrix_issue_bf16_tflops: 2500,
    matrix_issue_fp8_tflops: 5000,
    matrix_issue_tf32_tflops: 1300,
    matrix_issue_fp64_tflops: 170,
  })) {
    const lying = judged({}, { details: { [metric]: record(value) }, verdicts: { [metric]: passed } });
    assert.equal(lying.verdicts?.[metric]?.verdict, 'bad', metric);
    assert.match(lying.unranked ?? '', new RegExp(`^${metric}: `));
    assert.deepEqual(counts(lying), nowhere, metric);
  }
  const failed = judged({}, { details: { fp64_tflops: { ...record(52.8), verified: false } } });
  assert.match(failed.unranked ?? '', /^fp64_tflops: /);
});

test('what a figure in the details says of a device is not lost when its large result is judged again without them', () => {
  const lying = { fp64_tflops: { value: 170, unit: 'TFLOP/s', verified: true, path: 'cublasLt' } };
  const results = upload('m', [{}, {}]).benchmark_results.quick_mark;
  Object.assign(results.test_results[0]?.details ?? {}, lying);
  const kept = judgeResults(results);
  const digest = { ...kept, test_results: kept.test_results.map((device) => ({ ...device, details: {} })) };
  const again = judgeStored(digest).test_results;
  assert.match(again[0]?.unranked ?? '', /^fp64_tflops: /);
  assert.equal(again[1]?.unranked, undefined);
  assert.equal(votingFigures(again), null);
});

test('peaks of a card that is sold overclocked may pass its sheet; of twice and a half the sheet no clock is the reason', () => {
  // The sheet of an RTX 3090 says 35.6 TFLOP/s.
  const none = {
    fp32_tflops: null,
    fp32_cuda_core_tflops: null,
    fp16_tflops: null,
    fp8_tflops: null,
    mixed_precision_tflops: null,
  };
  const peak = (value: number) =>
    judged(
      { model: 'NVIDIA GeForce RTX 3090', bf16: 60, memory: 850, copies: 24 },
      { ...none, details: { fma_fp32_tflops: { value, verified: true } } },
    );
  assert.equal(peak(40).verdicts?.['fma_fp32_tflops']?.verdict, 'warn');
  assert.equal(peak(40).unranked, undefined);
  assert.match(peak(95).unranked ?? '', /^fma_fp32_tflops: /);
});

test('no figure of the details is beyond what fields of its unit may be, nor below nothing', () => {
  const record = (value: number) => ({ value, verified: true });
  const device = judged(
    {},
    {
      details: {
        memory_copy_gbs: record(9000),
        fma_fp16_tflops: record(2600),
        memory_latency_ns: record(-5),
        made_up_gbs: record(1e12),
        fp64_tflops: record(1e15),
      },
    },
  );
  assert.deepEqual(
    ['memory_copy_gbs', 'fma_fp16_tflops', 'memory_latency_ns', 'made_up_gbs', 'fp64_tflops'].map(
      (metric) => device.verdicts?.[metric]?.verdict,
    ),
    ['bad', 'bad', undefined, undefined, undefined],
  );
  const processor = { vendor: 'cpu', model: 'AMD EPYC 9965', bf16: 20, memory: 900, copies: null } as const;
  assert.match(judged(processor, { details: { fp64_tflops: record(900) } }).unranked ?? '', /^fp64_tflops: /);
});

test('made-up names among the details neither become verdicts without end nor pass for fields', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`made_up_${n}_us`, { value: n }]));
  const device = judged(
    {},
    {
      details: {
        ...many,
        ['x'.repeat(61)]: { value: 1 },
        'Ein Wort': { value: 1 },
        bf16_tflops: { value: 9e9 },
        none: { value: null },
      },
    },
  );
  const names = Object.keys(device.verdicts ?? {});
  assert.equal(names.filter((name) => name.startsWith('made_up_')).length, 40);
  // In whatever order they come, as Postgres keeps members in its own.
  const turned = judged({}, { details: Object.fromEntries(Object.entries(many).toReversed()) });
  const madeUp = (one: QuickMarkTestResult) =>
    Object.keys(one.verdicts ?? {})
      .filter((name) => name.startsWith('made_up_'))
      .toSorted();
  assert.deepEqual(madeUp(turned), madeUp(device));
  assert.ok(!names.some((name) => name === 'none' || name === 'Ein Wort' || name.length > 60));
  assert.equal(device.verdicts?.['bf16_tflops']?.verdict, 'ok', 'its field counts, not what the details say beside it');
});
