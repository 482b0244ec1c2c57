import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRun } from '../../../../coordinator/network/verdict/judge-run.ts';
import type { JudgedAttempt } from '../../../../coordinator/network/verdict/run-verdict.ts';
import { everyPair, exactRun as run, failed, ok, usual, verdictOf } from './exact-run.ts';

test('segments sent again: a share above 0.1 %, a count that says something, and not what all links have', () => {
  const lossy = (retransmits: number, segments = 10_000) =>
    [1, 2, 3].map((attempt) => ok(attempt, 100, 100, { retransmits, segments }));
  assert.equal(verdictOf(...lossy(40)), 'lossy');
  assert.equal(verdictOf(...lossy(12)), 'good', '12 - 2 x sqrt(12) = 5.1 of 10,000 may be chance');
  assert.equal(verdictOf(...lossy(4, 50)), 'good', 'four');
  assert.equal(verdictOf(...lossy(8, 90)), 'lossy');
  const everywhere: Record<string, JudgedAttempt[]> = {};
  for (const pair of everyPair(8)) everywhere[pair] = [ok(1, 100, 100, { retransmits: pair === '0-1' ? 140 : 50 })];
  assert.equal(judgeRun(run(8, everywhere)).links.get(0)?.verdict, 'good', 'less than four times the median');
  everywhere['0-1'] = lossy(300);
  assert.equal(judgeRun(run(8, everywhere)).links.get(0)?.verdict, 'lossy');
});

test('a lossy link names the direction that its sender sent again, not the one that lost its processor', () => {
  const resent = (retransmits: number) => ({ retransmits, segments: 5000 });
  const named = (...attempts: JudgedAttempt[]) =>
    judgeRun(run(8, { '0-1': attempts })).bad_links.map(({ verdict, direction, factor }) => [
      verdict,
      direction,
      factor,
    ]);
  const lossy = (attempt: number, forward: number, reverse: number, [there, back] = [400, 0]) =>
    ok(attempt, forward, reverse, {
      retransmits: there + back,
      sent: { forward: resent(there), reverse: resent(back) },
    });
  // Medians: forward 95 of 100, reverse (100 + 0.01) / 2. The third attempt has no figures.
  assert.deepEqual(named(lossy(1, 90, 100), lossy(2, 100, 0.01), failed(3)), [['lossy', 'forward', 0.95]]);
  assert.deepEqual(named(lossy(1, 90, 100), lossy(2, 100, 0.01), lossy(3, 90, 0.01)), [['lossy', 'forward', 0.9]]);
  const turned = [1, 2, 3].map((attempt) => lossy(attempt, 50, 100, [0, 400]));
  assert.deepEqual(named(...turned), [['lossy', 'reverse', 1]]);
  const both = [1, 2, 3].map((attempt) => lossy(attempt, 50, 100, [400, 300]));
  assert.deepEqual(named(...both), [['lossy', 'forward', 0.5]], 'both lose: the slow one');
  const alike = [1, 2, 3].map((attempt) => lossy(attempt, 100, 100, [400, 300]));
  assert.deepEqual(named(...alike), [['lossy', null, 1]], 'both lose, and neither is slow');
  const uncounted = [1, 2, 3].map((attempt) => ok(attempt, 100, 50, { retransmits: 400 }));
  assert.deepEqual(named(...uncounted), [['lossy', 'reverse', 0.5]], 'nobody says who sent them again');
});

test('a round trip that waited 200 ms for a lost message makes a link lossy, a long way does not', () => {
  const waited = { rtt_us: { ...usual, p99: 209_000, max: 400_000 }, retransmits: null, segments: null };
  const judgement = judgeRun(run(8, { '0-1': [1, 2, 3].map((attempt) => ok(attempt, 100, 100, waited)) }));
  assert.deepEqual(
    judgement.bad_links.map(({ verdict, retransmit_share }) => [verdict, retransmit_share]),
    [['lossy', null]],
  );
  const far = { rtt_us: { ...usual, p50: 190_000, p99: 210_000 } };
  assert.equal(verdictOf(ok(1, 100, 100, far)), 'good');
  assert.equal(
    judgeRun(run(2, { '0-1': [ok(1, 100, 100, far)] })).links.get(0)?.verdict,
    'good',
    'nor where nothing else tells',
  );
  const late = { rtt_us: { ...usual, p50: 90, p99: 209_000 } };
  assert.equal(verdictOf(ok(1, 100, 100, late)), 'good', 'a median that is not a usual one has another cause');
  assert.equal(verdictOf(ok(1, 100, 100, waited), ok(2), ok(3)), 'contended');
});

test('where all links wait that long, as on machines with too much to do, none is lossy', () => {
  const busy = { rtt_us: { ...usual, p99: 230_000 } };
  const all: Record<string, JudgedAttempt[]> = {};
  for (const pair of everyPair(8)) all[pair] = [ok(1, 100, 100, busy)];
  assert.deepEqual(judgeRun(run(8, all)).retests, []);
});
