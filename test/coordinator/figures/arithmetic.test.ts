// `fp32_tflops` is TF32 on one card and IEEE fp32 on another: nothing holds the one against the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arithmeticOf } from '../../../coordinator/contract/matrix-engine.ts';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { aggregateEngines } from '../../../coordinator/figures/aggregate-figures.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { nodeFigures, rankIndex, votingFigures } from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { upload } from '../jobs/upload.ts';

type Card = readonly [tflops: number, arithmetic: string | null];
const tf32: Card = [400, 'tf32'];
const ieee: Card = [51, 'ieee fp32'];

/** Cards of one model, of which the published tables know nothing unless it is named. */
function judged(cards: readonly Card[], model = 'NVIDIA Unlisted'): QuickMarkTestResult[] {
  const results = upload(
    'm',
    cards.map(() => ({ model })),
  ).benchmark_results.quick_mark;
  results.test_results = results.test_results.map((device, place) => {
    const [fp32_tflops, arithmetic] = cards[place] ?? tf32;
    return { ...device, fp32_tflops, details: arithmetic === null ? {} : { fp32_tflops: { arithmetic } } };
  });
  return judgeResults(results).test_results;
}
const verdicts = (cards: readonly Card[]) => judged(cards).map(({ verdicts: all }) => all?.['fp32_tflops']);

test('cards of one model are peers in the same arithmetic only; a card alone in its own is not compared', () => {
  const [first, , , other] = verdicts([tf32, tf32, tf32, ieee]);
  assert.deepEqual([first?.verdict, other?.verdict], ['ok', 'ok']);
  assert.match(first?.rule ?? '', /passed: .*peers/);
  // By eight times less it would be bad, and was not compared at all.
  assert.doesNotMatch(other?.rule ?? '', /differ|behind/);
  // Two and two: each pair by itself, in which the second is 20 % behind the first.
  const pairs = verdicts([tf32, [320, 'tf32'], ieee, [40.8, 'ieee fp32']]);
  assert.deepEqual(
    pairs.map((one) => [one?.verdict, /differ by 20\.0 %/.test(one?.rule ?? '')]),
    Array.from({ length: 4 }, () => ['warn', true]),
  );
  assert.deepEqual(
    verdicts([tf32, tf32, tf32, [51, null]]).map((one) => one?.verdict),
    ['ok', 'ok', 'ok', 'ok'],
    'nor is a card that does not say',
  );
  assert.equal(verdicts([tf32, tf32, tf32, [51, 'tf32']])[3]?.verdict, 'bad', 'in one arithmetic it is');
});

test('what is published of TF32 does not limit IEEE fp32', () => {
  // H100 SXM: 66.9 TFLOP/s in fp32 and 494.7 in TF32; 2.5 times the first are 167.3.
  const unranked = (card: Card): string | undefined => judged([card], 'NVIDIA H100 80GB HBM3')[0]?.unranked;
  assert.match(unranked([300, 'ieee fp32']) ?? '', /300 TFLOP\/s is above 2\.5 times the 66\.9 published/);
  assert.equal(unranked([400, 'tf32']), undefined);
});

test('ranks and votes rest on no figure that has two arithmetics', () => {
  const [one, other] = [judged([tf32]), judged([ieee])].map((devices) => ({
    rank: rankIndex(nodeFigures(devices) ?? assert.fail()),
    votes: votingFigures(devices)?.figures,
  }));
  assert.ok(one?.rank && one.votes?.bf16_tflops);
  assert.deepEqual(one, other);
});

test('a sum over both arithmetics says so', () => {
  const part = (arithmetic: 'tf32' | 'ieee fp32') => ({
    gemm: { fp32_tflops: { engine: 'own' as const, arithmetic } },
  });
  const notesOf = (...parts: ReturnType<typeof part>[]) => aggregateEngines(parts, ['fp32_tflops']).notes;
  assert.equal(notesOf(part('tf32'), part('tf32')), undefined);
  assert.deepEqual(notesOf(part('tf32'), part('ieee fp32')), [
    'fp32_tflops: computed in IEEE fp32 and TF32; the sum mixes both and cannot be compared with others',
  ]);
});

test('what agents before that word said, the units, is read as the arithmetic of those', () => {
  const read = (mode: string, metric = 'fp32_tflops') => arithmeticOf(metric, { mode });
  assert.deepEqual([read('tf32'), read('simt'), read('other')], ['tf32', 'ieee fp32', null]);
  assert.equal(arithmeticOf('fp32_tflops', { arithmetic: 'ieee fp32', mode: 'tf32' }), 'ieee fp32', 'the word itself');
  assert.equal(read('tf32', 'tf32_tflops'), null, 'a metric of one arithmetic needs no word');
});
