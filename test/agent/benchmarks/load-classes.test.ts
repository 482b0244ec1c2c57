// A card's first second is up to a fifth faster than what it sustains: neither a baseline nor the other cards of the node are
// a measure for a figure of another load class.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBaseline, type Baseline } from '../../../agent/benchmarks/baseline.ts';
import { judgeNode } from '../../../agent/benchmarks/judge-node.ts';
import { figuresOf } from '../../../agent/benchmarks/run-quick-mark.ts';
import { togetherFigure } from '../../../agent/benchmarks/measure-turns.ts';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import type { ResultEvent, RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { engineText } from '../../../agent/ui/engine-text.ts';
import { quickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { deviceEvent, head } from '../support/device-event.ts';
import { testHost } from '../support/test-host.ts';

const device = (device_id: string) => deviceEvent({ device_id, name: 'NVIDIA H200' });
const SUSTAINED = { load: 'sustained', before_seconds: 1.6, counted_seconds: 1.2 };
const BURST = { load: 'burst', tflops: 752, n: 50, seconds: 0.25, rest_seconds: 0.25 };
type Figure = readonly [metric: string, value: number, details: Record<string, unknown>];
const measured = (device_id: string, ...figures: Figure[]) => {
  const events: RunnerEvent[] = figures.map(([metric, value, details]) => ({
    ...head,
    event: 'result',
    device_id,
    benchmark: 'b',
    metric,
    value,
    unit: 'TFLOP/s',
    reason: null,
    stats: null,
    verified: true,
    engine: 'vendor',
    details,
  }));
  return { device: device(device_id), events, figures: figuresOf(events, device(device_id)) };
};
const judged = (baseline: Baseline | null, ...cards: ReturnType<typeof measured>[]) =>
  judgeNode(cards, baseline).map(({ metrics: [figure] }) => [figure?.verdict, figure?.reason ?? '']);
const WHY = 'a card is faster in its first second than it stays, so only figures of one load class are compared';

test('a figure and its burst reach the summary, the upload and the line for people, each with its class or its n', () => {
  const card = measured(
    'GPU-1',
    ['bf16_tflops', 687, { ...SUSTAINED, burst: BURST }],
    ['fma_fp32_tflops', 65, { load: 'brief' }],
  );
  const metrics = judgeNode([card], null)[0]?.metrics ?? [];
  const [product, peak] = ['bf16_tflops', 'fma_fp32_tflops'].map((name) =>
    metrics.find(({ metric }) => metric === name),
  );
  assert.deepEqual([product?.load, product?.burst, peak?.load], ['sustained', { tflops: 752, n: 50 }, 'brief']);
  assert.match(engineText(product ?? assert.fail(), null) ?? '', /, sustained, .*; burst 752\.0, n 50$/);
  const upload = quickMarkTestResult.parse(assembleQuickMark([device('GPU-1'), ...card.events], 'GPU-1'));
  assert.deepEqual(
    [upload.gemm?.['bf16_tflops']?.load, upload.gemm?.['bf16_tflops']?.burst],
    ['sustained', { tflops: 752, n: 50 }],
  );
  assert.equal(upload.bf16_tflops, 687, 'the headline is never the burst');
  const [older] = judgeNode([measured('GPU-1', ['bf16_tflops', 687, {}])], null);
  assert.deepEqual([older?.metrics[0]?.load, older?.metrics[0]?.burst], [null, null], 'an older runner says neither');
});

test('a baseline of a burst, of a brief load or of none that is known does not judge a sustained figure', (t) => {
  const path = join(testHost(t).folder, 'b.json');
  const beside = (before: object, details: object, id = 'GPU-1') => {
    const metrics = [{ metric: 'bf16_tflops', value: 752, engine: 'vendor', ...before }];
    const test_results = [
      {
        gpu_id: id,
        gpu_model: 'NVIDIA H200',
        bf16_tflops: 752,
        gemm: { bf16_tflops: { engine: 'vendor', ...before } },
      },
    ];
    const files = [
      { schema: 'gpumark.summary/1', devices: [{ device_id: id, name: 'NVIDIA H200', simulated: false, metrics }] },
      { benchmark_results: { quick_mark: { test_results } } },
    ];
    const [one, other] = files.map((file) => {
      writeFileSync(path, JSON.stringify(file));
      return judged(readBaseline(path), measured('GPU-1', ['bf16_tflops', 687, { ...details }]))[0];
    });
    assert.deepEqual(one, other, 'summary and upload');
    return one;
  };
  const refused = (here: string, there: string) => [
    'ok',
    `not compared with the baseline ${path}: measured ${here}, there ${there}; ${WHY}`,
  ];
  for (const [before, there] of [
    [{ load: 'burst' }, 'in a burst of at most half a second'],
    [{ load: 'brief' }, 'too briefly to show what the card sustains'],
    [{ load: 'settled' }, 'under load until it settled'],
    [{}, 'under a load that was not recorded'],
  ] as const)
    assert.deepEqual(beside(before, SUSTAINED), refused('under sustained load', there));
  const brief = 'too briefly to show what the card sustains';
  assert.deepEqual(
    beside({ load: 'brief' }, { load: 'brief' }),
    refused(brief, brief),
    'brief figures are compared with nothing',
  );
  assert.deepEqual(
    beside({ load: 'sustained' }, { load: 'sustained', before_seconds: 0.12, counted_seconds: 0.09 }),
    refused(brief, 'under sustained load'),
    'nor is a class that its own seconds contradict',
  );
  // 1 - 687 / 752 = 0.0864
  const judgedBy = (id: string) => {
    const [verdict, reason] = beside({ load: 'sustained' }, SUSTAINED, id) ?? [];
    return [verdict, (reason ?? '').startsWith('8.6 % worse than in the baseline')];
  };
  assert.deepEqual(judgedBy('GPU-1'), ['bad', true], 'a card beside its own earlier run');
  // Two healthy chips at their power cap may be so far apart: it is said, and the figure passes.
  assert.deepEqual(judgedBy('GPU-of-another-node'), ['ok', true]);
});

test('cards of a node are peers under one load: 752 in a burst makes none of them slow, 752 sustained does', () => {
  const at = (id: string, value: number, load: string | null) =>
    measured(id, ['bf16_tflops', value, load === null ? {} : { load }]);
  const verdicts = (...loads: readonly (readonly [number, string | null])[]) =>
    judged(null, ...loads.map(([value, load], index) => at(`GPU-${index}`, value, load)));
  const apart = verdicts([752, 'burst'], [752, 'burst'], [752, 'burst'], [687, 'sustained']);
  assert.deepEqual(apart[3], [
    'ok',
    `not compared with the other cards of this model: measured under sustained load, there in a burst of at most half a second; ${WHY}`,
  ]);
  // 1 - 687 / 752 = 0.0864
  const alike = verdicts([752, 'sustained'], [752, 'sustained'], [752, 'sustained'], [687, 'sustained']);
  assert.equal(alike[3]?.[0], 'warn', 'more than 8.5 %');
  // A soak: the card that did not settle is the one to find.
  assert.equal(verdicts([752, 'settled'], [752, 'settled'], [752, 'settled'], [687, 'sustained'])[3]?.[0], 'warn');
  // One run gives all its cards the same time, known or not; over so short a one a healthy card differs from itself by 5 %.
  for (const load of ['brief', null]) {
    const [, , , remark] = verdicts([752, load], [752, load], [752, load], [687, load]);
    assert.match(
      remark?.join() ?? '',
      /^ok,8\.6 % behind the median of the 4 devices of this model: healthy ones differ by up to 13\.6 %/,
    );
    // 1 - 620 / 752 = 0.176
    assert.equal(verdicts([752, load], [752, load], [752, load], [620, load])[3]?.[0], 'bad');
  }
});

test('what all cards at once lose is told between figures of one load class, never of brief ones; settled is sustained as well', () => {
  const gapBetween = (together: string, alone: string): number | null => {
    const one = (value: number, load: string) =>
      measured('GPU-1', ['fma_fp32_tflops', value, { ...SUSTAINED, load }]).events[0] as ResultEvent;
    return togetherFigure(one(60, together), one(64, alone))?.gap ?? null;
  };
  // 1 - 60 / 64
  assert.equal(gapBetween('sustained', 'sustained'), 0.0625);
  assert.equal(gapBetween('brief', 'brief'), null);
  assert.equal(gapBetween('settled', 'sustained'), 0.0625);
  assert.equal(gapBetween('sustained', 'brief'), null);
  assert.equal(gapBetween('brief', 'burst'), null);
});
