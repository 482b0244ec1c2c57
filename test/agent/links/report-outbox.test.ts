import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, asyncProperty, constantFrom } from 'fast-check';
import type { NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import { ReportOutbox } from '../../../agent/links/report-outbox.ts';
import { AnswerError, NoAnswerError } from '../../../agent/client/call-errors.ts';
import { CONFIRMED_BY } from '../../../agent/client/doubt.ts';

/** Time that only sleeping moves, one turn of the event loop per sleep. */
const clock = {
  now: () => 0,
  elapsed: () => 0,
  monotonic: () => 0,
  sleep: async (ms: number, signal?: AbortSignal) => {
    // A budget without end ends by its signal only.
    const turns = ms >= 1e6 ? Number.POSITIVE_INFINITY : Math.min(50, Math.ceil(ms));
    const isStopped = (): boolean => signal?.aborted ?? false;
    for (let turn = 0; turn < turns && !isStopped(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  },
};
const random = { fraction: () => 0.01, hex: () => '', uuid: () => '' };

const report = (id: string): NetworkReport => ({
  kind: 'dial',
  id,
  status: 'ok',
  stage: null,
  code: null,
  address: null,
  connect_us: null,
});

type Fate = 'taken' | 'lost' | 'taken but unanswered' | 'half' | 'nothing';

/** A coordinator that treats each POST by its fate, then takes everything. */
function coordinator(fates: Fate[]) {
  const stored: string[] = [];
  const state = { calls: 0, at_once: 0, most_at_once: 0 };
  const send = async (reports: NetworkReport[]) => {
    const fate = fates[state.calls] ?? 'taken';
    state.calls += 1;
    state.at_once += 1;
    state.most_at_once = Math.max(state.most_at_once, state.at_once);
    await new Promise((resolve) => setImmediate(resolve));
    state.at_once -= 1;
    const ids = reports.map(({ id }) => id);
    if (fate === 'lost') throw new NoAnswerError('ECONNRESET');
    if (fate === 'nothing') return { acked: [], refused: [] };
    const taken = fate === 'half' ? ids.slice(0, Math.ceil(ids.length / 2)) : ids;
    stored.push(...taken);
    if (fate === 'taken but unanswered') throw new NoAnswerError('no answer');
    return { acked: taken, refused: [] };
  };
  return { stored, state, send };
}

const outboxOf = (send: ConstructorParameters<typeof ReportOutbox>[0]['send'], said: string[] = []): ReportOutbox =>
  new ReportOutbox({
    send,
    clock,
    random,
    onRefused: ({ id }, reason) => void said.push(`${id}: ${reason}`),
    onClosed: ({ code }) => void said.push(code),
  });

test('whatever happens to the POSTs, every report is stored, and only once if the coordinator deduplicates by id', async () => {
  const fate = constantFrom<Fate[]>('taken', 'lost', 'taken but unanswered', 'half', 'nothing');
  await holds(
    asyncProperty(array(fate, { maxLength: 8 }), async (fates) => {
      const { stored, state, send } = coordinator(fates);
      const outbox = outboxOf(send);
      const ids = Array.from({ length: 30 }, (_, index) => `0.${index}`);
      for (const [index, id] of ids.entries()) {
        outbox.add(report(id), index % 3);
        // More are added while a batch is in flight.
        if (index % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal(await outbox.close(1e9), 0);
      assert.deepEqual([...new Set(stored)].toSorted(), ids.toSorted());
      assert.equal(state.most_at_once, 1);
      const repeats = fates.filter((one) => one === 'taken but unanswered').length;
      assert.ok(stored.length <= ids.length * (1 + repeats));
    }),
    { numRuns: 40 },
  );
});

test('simultaneous reports are sent together', async () => {
  const { state, stored, send } = coordinator([]);
  const outbox = outboxOf(send);
  for (let index = 0; index < 100; index += 1) outbox.add(report(`1.${index}`), 20);
  assert.equal(await outbox.close(1e9), 0);
  assert.deepEqual([state.calls, stored.length], [1, 100]);
});

test('the end of a plan with nothing left to send does not hurry the first reports of the next one', async () => {
  const { state, stored, send } = coordinator([]);
  const outbox = outboxOf(send);
  outbox.hurry();
  outbox.add(report('2.1'), 20);
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  outbox.add(report('2.2'), 20);
  assert.equal(await outbox.close(1e9), 0);
  assert.deepEqual([state.calls, stored.length], [1, 2]);
});

test('two reports with the same id are never in one batch, since the answer contains only ids', async () => {
  const batches: string[][] = [];
  const outbox = outboxOf((reports) => {
    batches.push(reports.map(({ kind, id }) => `${kind} ${id}`));
    return Promise.resolve({ acked: reports.map(({ id }) => id), refused: [] });
  });
  outbox.add({ kind: 'unique_id', id: 'c.1', unique_id: '00'.repeat(128) }, 10);
  outbox.add({ kind: 'collective', id: 'c.1', result: null, message: 'x' }, 10);
  assert.equal(await outbox.close(1e9), 0);
  assert.deepEqual(batches, [['unique_id c.1'], ['collective c.1']]);
});

test('refused reports are announced and never sent again', async () => {
  const said: string[] = [];
  let calls = 0;
  const outbox = outboxOf((reports) => {
    calls += 1;
    const ids = reports.map(({ id }) => id);
    return Promise.resolve({ acked: ids.slice(1), refused: [{ id: ids[0] ?? '', reason: 'no such slot' }] });
  }, said);
  outbox.add(report('9.9'), 5);
  outbox.add(report('1.1'), 5);
  assert.equal(await outbox.close(1e9), 0);
  assert.deepEqual([said, calls], [['9.9: no such slot'], 1]);
});

test('one report that makes a batch invalid is found and dropped; the others arrive', async () => {
  const said: string[] = [];
  const stored: string[] = [];
  const outbox = outboxOf((reports) => {
    if (reports.some(({ id }) => id === '5.1')) throw new AnswerError(400, 'PARAMETER_INCORRECT_VALUE', 'bad', null);
    stored.push(...reports.map(({ id }) => id));
    return Promise.resolve({ acked: reports.map(({ id }) => id), refused: [] });
  }, said);
  for (let index = 0; index < 10; index += 1) outbox.add(report(`${index}.1`), 5);
  assert.equal(await outbox.close(1e9), 0);
  assert.equal(stored.length, 9);
  assert.deepEqual(said, ['5.1: bad']);
});

test('a session that was replaced stops sending and reports that once', async () => {
  const said: string[] = [];
  let calls = 0;
  const outbox = outboxOf(() => {
    calls += 1;
    throw new AnswerError(409, 'STALE_EPOCH', 'replaced', null);
  }, said);
  outbox.add(report('1.1'), 0);
  outbox.add(report('1.2'), 0);
  assert.equal(await outbox.close(1e9), 2);
  outbox.add(report('1.3'), 0);
  assert.deepEqual([said, calls], [['STALE_EPOCH'], 1]);
});

test('a 401 or 404 is final after five consecutive ones; before that the reports are sent again', async () => {
  for (const status of [401, 404]) {
    const said: string[] = [];
    const outboxWith = (times: number) => {
      let calls = 0;
      return outboxOf((reports) => {
        calls += 1;
        if (calls <= times) throw new AnswerError(status, 'SAID', 'said', null);
        return Promise.resolve({ acked: reports.map(({ id }) => id), refused: [] });
      }, said);
    };
    const passing = outboxWith(CONFIRMED_BY - 1);
    passing.add(report('1.1'), 0);
    assert.deepEqual([await passing.close(1e9), said], [0, []]);
    const lasting = outboxWith(CONFIRMED_BY);
    lasting.add(report('1.1'), 0);
    assert.deepEqual([await lasting.close(1e9), said], [1, ['SAID']]);
  }
});

test('closing gives up after its budget and returns how many were left', async () => {
  const { send } = coordinator(Array.from({ length: 10_000 }, () => 'lost' as const));
  const outbox = outboxOf(send);
  for (let index = 0; index < 7; index += 1) outbox.add(report(`1.${index}`), 0);
  assert.equal(await outbox.close(40), 7);
});
