import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { networkPollResponse } from '../../../coordinator/contract/network-protocol.ts';
import { markRunEnded, readRun, updateRun } from '../../../coordinator/network/queries/runs.ts';
import { type RunState, runTransitions, statesBefore } from '../../../coordinator/network/run-row.ts';
import { testApp } from '../../support/app.ts';
import { filesUnder, withoutComments } from '../../support/source-files.ts';
import { ITEM, join, networkJob } from './network-job.ts';

const app = await testApp({ after });
const { sql } = app.platform;
const states = networkPollResponse.shape.state.options;

test('the states of a run are those of its table of moves, of the CHECK constraint and of the contract', async () => {
  const [row] = await sql<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition from pg_catalog.pg_constraint where conname = 'network_run_state'`;
  const checked = [...(row?.definition ?? '').matchAll(/'([a-z]+)'/g)].map((match) => match[1] ?? '');
  assert.deepEqual(checked.toSorted(), states.toSorted());
  assert.deepEqual(Object.keys(runTransitions).toSorted(), states.toSorted());
});

test('a run goes through its phases in their order, may end in each, and does not leave its end', () => {
  assert.deepEqual(runTransitions.ended, []);
  assert.deepEqual(statesBefore('joining'), [], 'it begins with joining');
  assert.deepEqual(statesBefore('ended').toSorted(), states.filter((state) => state !== 'ended').toSorted());
  for (const [at, from] of states.entries())
    for (const to of runTransitions[from]) assert.ok(states.indexOf(to) >= at, `${from} -> ${to}`);
});

test('a move that the table does not have is refused and changes nothing', async () => {
  const run = await networkJob(app, 2, { nodeCount: 3 });
  for (const node of run.nodes) await join(node);
  const key = { jobId: run.job.id, item: ITEM };
  const moves: [RunState, RunState][] = states.flatMap((from) => states.map((to): [RunState, RunState] => [from, to]));
  const done: string[] = [];
  for (const [from, to] of moves.filter((move) => !move.includes('ended'))) {
    await sql`update network_run set state = ${from} where job_id = ${key.jobId}`;
    try {
      await updateRun(sql, key, { state: to, next_round: 7 });
      done.push(`${from} ${to}`);
    } catch (error) {
      assert.match(String(error), new RegExp(`^Error: run \\d+ \\d+ cannot move to ${to} from its state`));
    }
    assert.equal((await readRun(sql, key))?.state, done.includes(`${from} ${to}`) ? to : from);
  }
  assert.deepEqual(
    done,
    moves.filter(([from, to]) => to !== 'ended' && runTransitions[from].includes(to)).map((move) => move.join(' ')),
  );
  const end = { outcome: 'failed', message: null, summary: null } as const;
  await markRunEnded(sql, key, end);
  await assert.rejects(markRunEnded(sql, key, end), /cannot move to ended from its state/);
  await assert.rejects(updateRun(sql, key, { state: 'rounds' }), /cannot move to rounds from its state/);
});

test('the state of a run is set in one file, by statements that ask the table where it may come from', () => {
  const statements = filesUnder('coordinator')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...withoutComments(file).matchAll(/\bupdate network_run\b[^`]*?\bset\s([^`]*)`/g)].map(([, text = '']) => {
        const [set = '', where = ''] = text.split(/\bwhere\b/);
        return { file, set, where };
      }),
    );
  const setting = statements.filter(({ set }) => /(^|,\s*)state = /.test(set));
  assert.deepEqual(
    setting.map(({ file }) => file),
    Array.from({ length: 2 }, () => 'coordinator/network/queries/runs.ts'),
  );
  assert.deepEqual(
    setting.filter(({ where }) => !where.includes('${mayMove(')),
    [],
  );
});
