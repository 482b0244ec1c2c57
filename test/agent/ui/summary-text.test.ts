import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainPaint } from '../../../agent/ui/paint.ts';
import type { DeviceSummary, MetricSummary } from '../../../agent/run/run-summary.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { wrapText } from '../../../agent/ui/text-width.ts';
import { noGemm } from '../support/no-gemm.ts';
import { scriptedSummary } from '../support/scripted-summary.ts';

const metric = (name: string, rest: Partial<MetricSummary>): MetricSummary => ({
  metric: name,
  value: null,
  unit: 'GB/s',
  n: null,
  cv: null,
  verdict: 'ok',
  rule: null,
  reason: null,
  judged_by: [],
  absence: null,
  ...noGemm,
  ...rest,
});
const textOf = (metrics: MetricSummary[], verbose = true): string => {
  const [first] = scriptedSummary.devices;
  assert.ok(first !== undefined);
  const device: DeviceSummary = { ...first, metrics, together: [] };
  return summaryText({ ...scriptedSummary, devices: [device], matrix: null }, plainPaint, { verbose });
};

test('an unmeasured figure is not a wrong result, however bad the memory', () => {
  const reason = '1 uncorrected memory error during the run';
  const ecc = textOf([metric('memory_bandwidth_gbs', { verdict: 'bad', rule: 'ecc', reason })]);
  assert.match(ecc, /✗ memory bandwidth +not measured\n +\[ecc\] 1 uncorrected memory error/);
  const wrong = textOf([metric('memory_bandwidth_gbs', { verdict: 'bad', rule: 'verification', reason: 'differs' })]);
  assert.match(wrong, /✗ memory bandwidth +WRONG RESULT\n +\[verification\] differs/);
});

test('a count has neither decimals nor a unit, and a finding that begins with its rule names it once', () => {
  const text = textOf([
    metric('repeat_checks', { value: 3, unit: 'count' }),
    metric('memory_copy_gbs', { value: 5, verdict: 'warn', rule: 'spread', reason: 'spread above 5 %: why' }),
  ]);
  assert.match(text, /✓ identical repetitions +3\n/);
  assert.match(text, /\n +spread above 5 %: why/);
});

test('a figure with a remark has no tick, one line, and its remark among what is worth knowing', () => {
  const reason = 'not settled: 700 TFLOP/s in the first quarter of the series, 670 in the last (-4.3 %)';
  const text = textOf([metric('bf16_tflops', { value: 690, unit: 'TFLOP/s', reason })], false);
  assert.match(text, /\n {2}i bf16 +690\.0 TFLOP\/s\n/);
  assert.match(text, /Worth knowing, nothing to do\n {2}i GPU 0: bf16: not settled: 700 TFLOP/);
});

test('what is not measured takes four lines at most, and --verbose has every figure with its reason', () => {
  const not_measured = Array.from({ length: 9 }, (_, index) => ({
    nodes: [],
    devices: [0],
    figures: Array.from({ length: index + 1 }, (_, figure) => `figure_${index}_${figure}_gbs`),
    signals: [],
    because: `reason ${index}, which is told at such length that it does not fit into one line of the terminal`,
  }));
  const unread = { nodes: [], devices: [], figures: [], signals: ['one', 'two'], because: 'hidden' };
  const { judgement } = scriptedSummary;
  const summary = { ...scriptedSummary, judgement: { ...judgement, not_measured: [...not_measured, unread] } };
  const blockOf = (verbose: boolean): string[] => {
    const blocks = summaryText(summary, plainPaint, { verbose }).split('\n\n');
    return (
      blocks
        .find((block) => block.startsWith('Not measured'))
        ?.split('\n')
        .slice(1) ?? []
    );
  };
  const short = blockOf(false);
  assert.equal(short.length, 4, short.join('\n'));
  assert.match(short[0] ?? '', /^ {2}- GPU 0: figure 8 0 and 8 more: reason 8, which is told at such length .* …$/);
  assert.match(short[2] ?? '', /^ {2}- figure 6 0 and 27 more: 7 reasons \(--verbose\)$/);
  assert.match(short[3] ?? '', /^ {2}- 2 signals of health: hidden$/);
  const long = blockOf(true).join('\n');
  for (const { figures, because } of not_measured)
    for (const word of [...figures.map((name) => name.replace(/_gbs$/, '').replaceAll('_', ' ')), because])
      assert.ok(long.replaceAll(/\s+/g, ' ').includes(word), word);
});

test('several cards of one model are one line per figure with the median, the least, its card and the most', () => {
  const [first] = scriptedSummary.devices;
  assert.ok(first !== undefined);
  const devices = [700, 640, 720, 710].map((value, index) => ({
    ...first,
    device_id: `GPU-${index}`,
    together: [],
    metrics: [metric('bf16_tflops', { value, unit: 'TFLOP/s' }), metric('fp8_tflops', index === 2 ? {} : { value: 9 })],
  }));
  const text = summaryText({ ...scriptedSummary, devices, matrix: null }, plainPaint);
  // Of 640, 700, 710 and 720 the lower middle.
  assert.match(text, /\n {2}✓ bf16 +700\.0 TFLOP\/s +640\.0 \(GPU 1\) to 720\.0\n/);
  assert.match(text, /\n {2}✓ fp8 +9\.000 GB\/s +on 3 of 4\n/);
  assert.equal(text.match(/bf16/g)?.length, 1);
});

test('the verdict stands first and last, and names devices that are simulated', () => {
  const lines = textOf([metric('bf16_tflops', { value: 690 })])
    .trimEnd()
    .split('\n');
  assert.equal(lines[0], 'VERDICT  bad: 4 problems: 2 bad, 2 to check');
  assert.equal(lines[1], '         3 figures good, 1 to check, 1 bad; 1 not measured');
  assert.deepEqual(lines.slice(-2), lines.slice(0, 2));
  assert.match(summaryText(scriptedSummary, plainPaint), /^VERDICT {2}bad \(simulated\): /);
});

test('a number and its percent sign stay on one line', () => {
  // "above 5 %:" is 10 characters; at 8 the break may only come before the number.
  assert.deepEqual(wrapText('above 5 %: why', 8), ['above', '5 %: why']);
});
