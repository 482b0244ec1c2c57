// A baseline in TF32 says nothing of a run in IEEE fp32, and the other way round.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBaseline } from '../../../agent/benchmarks/baseline.ts';
import { judgeNode, type MeasuredDevice } from '../../../agent/benchmarks/judge-node.ts';
import { testHost } from '../support/test-host.ts';
import { deviceEvent } from '../support/device-event.ts';

type Card = readonly [tflops: number, arithmetic: 'tf32' | 'ieee fp32' | null];

function measured([value, arithmetic]: Card): MeasuredDevice {
  return {
    device: deviceEvent({ name: 'Unlisted' }),
    events: [],
    figures: [
      {
        metric: 'fp32_tflops',
        value,
        unit: 'TFLOP/s',
        reason: null,
        cv: null,
        verified: true,
        core_share: null,
        n: 20,
        absence: null,
        engine: 'own',
        fraction_of_spec_peak: null,
        spec_peak_tflops: null,
        other_engine_tflops: null,
        arithmetic,
        load: 'sustained',
      },
    ],
  };
}

/** What is said of a card of this run beside a baseline of those cards, as a summary and as an upload. */
function judgedBeside(path: string, card: Card, before: readonly Card[]) {
  const common = { simulated: false };
  const devices = before.map(([value, arithmetic]) => ({
    ...common,
    name: 'Unlisted',
    metrics: [
      {
        metric: 'fp32_tflops',
        value,
        engine: 'own',
        load: 'sustained',
        ...(arithmetic === null ? {} : { arithmetic }),
      },
    ],
  }));
  const test_results = before.map(([fp32_tflops, arithmetic]) => ({
    ...common,
    gpu_model: 'Unlisted',
    fp32_tflops,
    gemm: { fp32_tflops: { engine: 'own', load: 'sustained', ...(arithmetic === null ? {} : { arithmetic }) } },
  }));
  const files = [{ schema: 'gpumark.summary/1', devices }, { benchmark_results: { quick_mark: { test_results } } }];
  return files.map((file) => {
    writeFileSync(path, JSON.stringify(file));
    const figure = judgeNode([measured(card)], readBaseline(path))[0]?.metrics[0];
    return { verdict: figure?.verdict, compared: figure?.judged_by.includes('baseline'), reason: figure?.reason ?? '' };
  });
}

test('a baseline is compared in the same arithmetic only, and a sentence says why it is not', (t) => {
  const path = join(testHost(t).folder, 'b.json');
  const beside = (card: Card, ...before: Card[]) => judgedBeside(path, card, before);
  const kinds = 'fp32_ieee_tflops and tf32_tflops are each of one kind';
  for (const [card, before, words] of [
    [[51, 'ieee fp32'], [[400, 'tf32']], 'computed in IEEE fp32, there in TF32'],
    [[400, 'tf32'], [[51, 'ieee fp32']], 'computed in TF32, there in IEEE fp32'],
    // the median of a machine with both is of neither
    [
      [51, 'ieee fp32'],
      [
        [400, 'tf32'],
        [51, 'ieee fp32'],
      ],
      'computed in IEEE fp32, there in TF32 by some devices and IEEE fp32 by others',
    ],
    [[51, 'ieee fp32'], [[400, null]], 'computed in IEEE fp32, there in an unknown arithmetic'],
  ] as const)
    assert.deepEqual(
      beside(card, ...before),
      Array.from({ length: 2 }, () => ({
        verdict: 'ok',
        compared: false,
        reason: `not compared with the baseline ${path}: ${words}; ${kinds}`,
      })),
    );
  for (const arithmetic of ['tf32', 'ieee fp32'] as const)
    for (const { verdict, compared, reason } of beside([85, arithmetic], [100, arithmetic])) {
      assert.deepEqual([verdict, compared], ['bad', true]);
      assert.match(reason, /^15\.0 % worse than in the baseline/);
    }
});
