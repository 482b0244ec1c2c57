import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPollResponse } from '../../../coordinator/contract/network-protocol.ts';
import { followPlans, type NetworkEnd } from '../../../agent/links/follow-plans.ts';
import { AnswerError } from '../../../agent/client/call-errors.ts';
import { CONFIRMED_BY } from '../../../agent/client/doubt.ts';

/** Polls that fail like this in turn, then the word that the run is over. */
async function follow(failures: AnswerError[]): Promise<{ end: NetworkEnd; polls: number }> {
  let polls = 0;
  const end = await followPlans({
    poll: () => {
      const failure = failures[polls];
      polls += 1;
      if (failure) return Promise.reject(failure);
      return Promise.resolve({
        sequence: 0,
        plan: null,
        ended: { outcome: 'completed', message: null },
      } as unknown as NetworkPollResponse);
    },
    onPlan: () => Promise.resolve(),
    onAnswer: () => undefined,
    onAway: () => undefined,
    planEnd: () => -1,
    clock: { now: () => 0, elapsed: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
    random: { fraction: () => 0.5, hex: () => '', uuid: () => '' },
    away_ms: 1000,
    over: new AbortController().signal,
  });
  return { end, polls };
}

const said = (status: number, times: number) =>
  Array.from({ length: times }, () => new AnswerError(status, 'SAID', 'said', null));

for (const status of [401, 404])
  test(`a poll that is answered ${status} is repeated, and the fifth consecutive one ends the polling`, async () => {
    const passing = await follow(said(status, CONFIRMED_BY - 1));
    assert.deepEqual([passing.end.kind, passing.polls], ['ended', CONFIRMED_BY]);
    const lasting = await follow(said(status, CONFIRMED_BY));
    assert.deepEqual([lasting.end.kind, lasting.polls], ['refused', CONFIRMED_BY]);
  });

test('a stale epoch ends the polling at once', async () => {
  const { end, polls } = await follow(said(409, 1));
  assert.deepEqual([end.kind, polls], ['refused', 1]);
});
