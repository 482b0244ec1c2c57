import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerError, NoAnswerError } from '../../../agent/client/call-errors.ts';
import type { Beat, CoordinatorClient, Registration } from '../../../agent/client/coordinator-client.ts';
import { CONFIRMED_BY } from '../../../agent/client/doubt.ts';
import { startHeartbeat } from '../../../agent/session/heartbeat.ts';

const registration = { task_id: '1', epoch: 1, heartbeat_seconds: 10 } as Registration;
const good: Beat = { heartbeat_seconds: 10, lease_seconds: 45, stop: null } as Beat;
/** Time that only sleeping moves, one turn of the event loop per sleep. */
const clock = {
  now: () => 0,
  elapsed: () => 0,
  monotonic: () => 0,
  sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
};
const random = { fraction: () => 0.5, hex: () => '', uuid: () => '' };
const no = (status: number, code = 'SAID') => new AnswerError(status, code, 'said', null);

/** Beats that are answered by these in turn, then well; resolves at the fence or after the thirtieth beat. */
async function beatThrough(answers: (Error | null)[]): Promise<{ beats: number; fenced: AnswerError[] }> {
  const met = { beats: 0, fenced: [] as AnswerError[] };
  const over = Promise.withResolvers<void>();
  const heartbeat = startHeartbeat({
    client: {
      heartbeat: () => {
        const answer = answers[met.beats] ?? null;
        met.beats += 1;
        if (met.beats === 30) over.resolve();
        return answer === null ? Promise.resolve(good) : Promise.reject(answer);
      },
    } as unknown as CoordinatorClient,
    registration,
    clock,
    random,
    status: () => ({ phase: 'measuring', progress: null }),
    onStop: () => undefined,
    onFenced: (error) => {
      met.fenced.push(error);
      over.resolve();
    },
  });
  await over.promise;
  await heartbeat.stop();
  return met;
}

for (const status of [401, 404])
  test(`a beat that is answered ${status} is followed by others, and only the fifth consecutive one ends the heartbeat`, async () => {
    const said = (times: number) => Array.from({ length: times }, () => no(status));
    assert.deepEqual((await beatThrough(said(1))).fenced, []);
    assert.deepEqual((await beatThrough(said(CONFIRMED_BY - 1))).fenced, []);
    const { beats, fenced } = await beatThrough(said(CONFIRMED_BY));
    assert.equal(beats, CONFIRMED_BY);
    assert.deepEqual(
      fenced.map((error) => error.status),
      [status],
    );
  });

test('a successful beat resets the count, and one without an answer changes nothing', async () => {
  const four = Array.from({ length: CONFIRMED_BY - 1 }, () => no(401));
  assert.deepEqual((await beatThrough([...four, null, ...four, null, ...four])).fenced, []);
  const { beats } = await beatThrough([...four, new NoAnswerError('cut'), no(503), no(404)]);
  assert.equal(beats, CONFIRMED_BY + 2);
});

test('a session that was replaced ends its heartbeat at the first refusal', async () => {
  const { beats, fenced } = await beatThrough([null, no(409, 'STALE_EPOCH')]);
  assert.equal(beats, 2);
  assert.deepEqual(
    fenced.map((error) => error.code),
    ['STALE_EPOCH'],
  );
});
