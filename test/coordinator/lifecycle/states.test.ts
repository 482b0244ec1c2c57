import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobState, taskState, benchmarkState } from '../../../coordinator/contract/agent-protocol.ts';
import { testTaskState } from '../../../coordinator/contract/test-task.ts';
import {
  jobHasEnded,
  jobOutcome,
  jobTransitions,
  moveJob,
  moveTask,
  type NodeOutcome,
  taskHasEnded,
  taskTransitions,
} from '../../../coordinator/lifecycle/states.ts';
import { freshDatabase } from '../../support/postgres.ts';

test('the states of the tables are those of the CHECK constraints and of the contract', async (t) => {
  const { sql } = await freshDatabase(t);
  const rows = await sql<{ conname: string; definition: string }[]>`
    select conname, pg_get_constraintdef(oid) as definition from pg_catalog.pg_constraint
    where conname in ('job_state', 'task_state', 'benchmark_result_state', 'test_task_state')`;
  const checked = Object.fromEntries(
    rows.map(({ conname, definition }) => [
      conname,
      [...definition.matchAll(/'([a-z_]+)'/g)].map((match) => match[1] ?? '').toSorted(),
    ]),
  );
  assert.deepEqual(checked, {
    job_state: Object.keys(jobTransitions).toSorted(),
    task_state: Object.keys(taskTransitions).toSorted(),
    benchmark_result_state: benchmarkState.options.toSorted(),
    test_task_state: testTaskState.options.toSorted(),
  });
  assert.deepEqual(Object.keys(jobTransitions).toSorted(), jobState.options.toSorted());
  assert.deepEqual(Object.keys(taskTransitions).toSorted(), taskState.options.toSorted());
});

test('a job moves along the table and nowhere else', () => {
  const outcome = 'completed' as const;
  const moves = jobState.options.flatMap((from) =>
    [
      { kind: 'node_registered' as const },
      { kind: 'registration_closed' as const },
      { kind: 'nodes_settled' as const, outcome },
      { kind: 'late_result' as const },
      { kind: 'aborted' as const },
    ].flatMap((event) => {
      const to = moveJob(from, event);
      return to === null ? [] : [`${from} ${event.kind} ${to}`];
    }),
  );
  assert.deepEqual(moves, [
    'created node_registered starting',
    'created aborted aborted',
    'starting registration_closed running',
    'starting aborted aborted',
    'running nodes_settled completed',
    'running aborted aborted',
    'failed late_result completed_with_warnings',
  ]);
});

test('an ended job or task leaves its end by a late result only', () => {
  for (const state of jobState.options.filter(jobHasEnded)) {
    assert.deepEqual(jobTransitions[state], state === 'failed' ? ['completed_with_warnings'] : []);
  }
  for (const state of taskState.options.filter(taskHasEnded)) assert.deepEqual(taskTransitions[state], []);
});

test('a task never goes back to an earlier phase, and a lost one comes back by any sign of life', () => {
  assert.equal(moveTask('uploading', { kind: 'beat', phase: 'measuring' }), 'uploading');
  assert.equal(moveTask('running', { kind: 'beat', phase: 'waiting' }), 'running');
  assert.equal(moveTask('registered', { kind: 'beat', phase: 'inventory' }), 'registered');
  assert.equal(moveTask('registered', { kind: 'beat', phase: 'measuring' }), 'running');
  assert.equal(moveTask('lost', { kind: 'beat', phase: 'waiting' }), 'running');
  assert.equal(moveTask('lost', { kind: 'beat', phase: 'uploading' }), 'uploading');
  assert.equal(moveTask('lost', { kind: 'ended', outcome: 'completed' }), 'completed');
  assert.equal(moveTask('completed', { kind: 'lease_ran_out' }), 'completed');
  assert.equal(moveTask('registered', { kind: 'lease_ran_out' }), 'lost');
});

const now = new Date('2026-11-21T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const node = (state: NodeOutcome['state'], given: Partial<NodeOutcome> = {}): NodeOutcome => ({
  state,
  lost_at: state === 'lost' ? minutesAgo(10) : null,
  warning_count: 0,
  ...given,
});

test('a job ends by its nodes: clean, with warnings, failed or aborted, and waits ten minutes for a lost one', () => {
  const outcomes = [
    [[node('completed'), node('completed')], 0, 'completed'],
    [[node('completed'), node('completed', { warning_count: 1 })], 0, 'completed_with_warnings'],
    [[node('completed')], 1, 'completed_with_warnings'],
    [[node('completed'), node('failed')], 1, 'completed_with_warnings'],
    [[node('completed'), node('lost')], 1, 'completed_with_warnings'],
    [[node('failed'), node('aborted')], 2, 'failed'],
    [[node('lost')], 1, 'failed'],
    [[node('aborted'), node('aborted')], 2, 'aborted'],
    [[node('completed'), node('lost', { lost_at: minutesAgo(9.99) })], 1, null],
    [[node('completed'), node('uploading')], 0, null],
    [[], 1, null],
  ] as const;
  for (const [nodes, warnings, expected] of outcomes) assert.equal(jobOutcome(nodes, warnings, now), expected);
});
