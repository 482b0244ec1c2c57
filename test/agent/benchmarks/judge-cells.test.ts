import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCells } from '../../../agent/benchmarks/judge-cells.ts';
import type { CellEvent } from '../../../agent/kernels/runner-events.ts';
import { bandwidthMatrix } from '../../../coordinator/contract/bandwidth-matrix.ts';
import { copyFindings } from '../../../coordinator/figures/findings/copy-findings.ts';
import { deviceEvent } from '../support/device-event.ts';

const cell = (source: string, target: string, simplex: number | null, rest: Partial<CellEvent> = {}): CellEvent => ({
  schema: 'gpumark.native/1',
  t_ms: 1,
  event: 'cell',
  source_device_id: source,
  target_device_id: target,
  connection_type: 'NVLink x18',
  peer_access: true,
  simplex_gbs: simplex,
  duplex_gbs: simplex === null ? null : simplex * 1.9,
  reason: simplex === null ? 'no peer access and no room to stage' : null,
  stats: null,
  duplex_stats: null,
  verified: simplex === null ? null : true,
  details: {},
  ...rest,
});
const stats = { n: 9, min: 1, max: 1, median: 1, p5: 1, p95: 1, cv: 0.08 };

/** Of a model whose links are not known, so that only the pairs are compared. */
const cards = (...ids: string[]) => ids.map((device_id) => deviceEvent({ device_id, name: 'NVIDIA Unlisted' }));

/** Verdicts of four cells around a, which is judged beside 400, 400 and 400 GB/s. */
const judgeOne = (one: CellEvent) => {
  const rest = { connection_type: one.connection_type };
  const others = [cell('a', 'c', 400, rest), cell('b', 'c', 400, rest), cell('c', 'a', 400, rest)];
  const judged = judgeCells(cards('a', 'b', 'c'), [one, ...others]);
  return judged.find((found) => found.source_gpu === 'a' && found.target_gpu === 'b') ?? assert.fail();
};

test('a fabric link is flagged at 3 and 5 % below, a path through the host at 10 and 25 %', () => {
  const verdicts = (connection_type: string) =>
    [392, 384, 372, 350, 290].map((gbs) => judgeOne(cell('a', 'b', gbs, { connection_type })).verdict);
  // 2, 4, 7, 12.5 and 27.5 % below 400.
  assert.deepEqual(verdicts('NVLink x18'), ['ok', 'warn', 'bad', 'bad', 'bad']);
  assert.deepEqual(verdicts('xGMI'), ['ok', 'warn', 'bad', 'bad', 'bad']);
  assert.deepEqual(verdicts('PCIe SYS'), ['ok', 'ok', 'ok', 'warn', 'bad']);
});

test('cells are compared only with those of the same kind of path, and not with fewer than two others', () => {
  const slowPath = { connection_type: 'PCIe SYS' };
  const cells = [
    cell('a', 'b', 400),
    cell('a', 'c', 400),
    cell('b', 'a', 400),
    cell('b', 'c', 20, slowPath),
    cell('c', 'b', 10, slowPath),
  ];
  const judged = judgeCells(cards('a', 'b', 'c'), cells);
  assert.ok(judged.every((found) => found.verdict === 'ok' || found.verdict === 'absent'));
});

test('a copy that arrived wrong is bad and has no figure; a large spread is doubtful; so is a pair whose copy failed, but not one without a path or one that a stop left out', () => {
  const wrong = judgeOne(cell('a', 'b', 400, { verified: false }));
  assert.deepEqual([wrong.verdict, wrong.simplex_gbs, wrong.duplex_gbs], ['bad', null, null]);
  assert.match(wrong.reason ?? '', /^verification: /);
  assert.deepEqual(judgeOne(cell('a', 'b', 400, { stats })).verdict, 'warn');
  const steady = { stats: { ...stats, cv: 0 }, duplex_stats: { ...stats, cv: 0 } };
  assert.equal(judgeOne(cell('a', 'b', 400, steady)).verdict, 'ok');
  const both = judgeOne(cell('a', 'b', 400, { ...steady, duplex_stats: stats }));
  assert.deepEqual([both.verdict, both.reason?.startsWith('spread above')], ['warn', true]);
  const failed = judgeOne(cell('a', 'b', null, { details: { absence: 'failed' } }));
  assert.deepEqual([failed.verdict, failed.reason], ['warn', 'absence: no peer access and no room to stage']);
  const reason = 'the run was stopped before this was measured';
  assert.equal(judgeOne(cell('a', 'b', null, { reason, details: { absence: 'failed' } })).verdict, 'absent');
  const none = judgeOne(cell('a', 'b', null, { details: { absence: 'hardware' } }));
  assert.deepEqual([none.verdict, none.reason], ['absent', 'no peer access and no room to stage']);
});

test('a cell has the samples that its speeds are the medians of, if the runner told them and the copy arrived', () => {
  const duplex_stats = { ...stats, n: 5 };
  const told = judgeOne(cell('a', 'b', 400, { stats, duplex_stats }));
  assert.deepEqual([told.simplex_samples, told.duplex_samples], [9, 5]);
  for (const rest of [{}, { stats, duplex_stats, verified: false }]) {
    const { simplex_samples, duplex_samples } = judgeOne(cell('a', 'b', 400, rest));
    assert.deepEqual([simplex_samples, duplex_samples], [undefined, undefined]);
  }
});

test('many doubtful pairs with one cause are one finding, which names the worst and says what to do about noise', () => {
  const ids = Array.from({ length: 5 }, (_, index) => `g${index}`);
  const judged = judgeCells(
    cards(...ids),
    ids.flatMap((source) =>
      ids
        .filter((name) => name !== source)
        .map((target) => cell(source, target, source === 'g3' && target === 'g1' ? 0.99 : 1, { stats })),
    ),
  );
  const [finding, ...others] = copyFindings(judged, ids);
  assert.deepEqual(others, []);
  assert.deepEqual([finding?.rule, finding?.grade, finding?.devices], ['spread', 'check', [0, 1, 2, 3, 4]]);
  // 5 x 4 pairs.
  assert.equal(
    finding?.evidence,
    '20 copies between GPUs, the worst GPU 3 to GPU 1: spread above 5 %: other work on the path',
  );
  assert.match(finding?.action ?? '', /^Stop other work/);
});

test('every pair is present, including those that the runner did not reach, and the matrix follows the contract', () => {
  const judged = judgeCells(cards('a', 'b', 'c'), [cell('b', 'a', 400)], 'GPU b fell off the bus');
  bandwidthMatrix.parse(judged);
  assert.equal(judged.length, 6);
  const missing = judged.find((found) => found.source_gpu === 'a' && found.target_gpu === 'c');
  assert.deepEqual(
    [missing?.verdict, missing?.simplex_gbs, missing?.reason, missing?.connection_type],
    ['absent', null, 'GPU b fell off the bus', 'unknown'],
  );
});
