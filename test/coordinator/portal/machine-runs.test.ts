import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countMachines } from '../../../coordinator/background.ts';
import { migrate } from '../../../coordinator/platform/db/migrate.ts';
import { selectMachines } from '../../../coordinator/portal/queries/machines.ts';
import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import type { Queryable } from '../../../coordinator/platform/db/client.ts';
import { testApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { makeJob, Node, type MadeJob } from '../jobs/node.ts';

const app = await testApp({ after });
const { sql } = app.platform;

/** The migration that counts runs comes after this one. */
const BEFORE_COUNTS = 28;

/** What the list says, and what a pass over all runs says: the newest run is that with the highest id. */
async function bothCounts(customerId: string | null) {
  const listed = await selectMachines(sql, { customerId, limit: 1000, offset: 0 });
  const counted = await sql`
    select machine_uuid, count(*)::int as runs, (count(*) filter (where state = 'completed'))::int as completed,
      bool_or(simulated) as simulated, (array_agg(created_at order by id desc))[1] as last_at,
      (array_agg(hostname order by id desc))[1] as hostname,
      (array_agg(gpu_model order by id desc) filter (where gpu_model is not null))[1] as gpu_model,
      (array_agg(gpu_count order by id desc) filter (where gpu_model is not null))[1] as gpu_count
    from task where deleted_at is null and (${customerId}::int8 is null or customer_id = ${customerId}::int8)
    group by machine_uuid order by last_at desc, machine_uuid`;
  return { listed, counted: counted.map((row) => ({ ...row, total: counted.length })) };
}

async function assertSame(users: readonly TestUser[]): Promise<void> {
  for (const customerId of [...users.map((user) => user.customerId), null]) {
    const { listed, counted } = await bothCounts(customerId);
    assert.deepEqual([...listed], counted);
  }
}

const machines: readonly [string, ...string[]] = ['a', 'b', 'c', 'd'];

/** Each is what lifecycle does to a run, or more than it ever does. */
const changes: readonly [string, ...string[]] = [
  `state = 'running', ended_at = null`,
  `state = 'completed', ended_at = now()`,
  `state = 'failed', ended_at = now()`,
  `state = 'registered', ended_at = null`,
  `simulated = not simulated`,
  `gpu_model = 'H100', gpu_count = 8`,
  `deleted_at = now()`,
  `deleted_at = null`,
];

test('machines are listed with the counts of a pass over all runs, whatever happens and whenever it is added up', async () => {
  const random = seededRandom('runs of machines');
  const pick = <T>(all: readonly [T, ...T[]]): T => all[random.below(all.length)] ?? all[0];
  const users: [TestUser, TestUser] = [await makeUser(app), await makeUser(app)];
  const job = (at: 0 | 1): Promise<MadeJob> => makeJob(app, users[at], { node_count: 4 });
  const jobs: [MadeJob, ...MadeJob[]] = [await job(0), await job(0), await job(0), await job(1), await job(1)];
  for (const made of jobs) for (const machine of machines) await new Node(app, made, machine).register();
  await assertSame(users);
  const [counts] = await sql<{ runs: number }[]>`select sum(runs)::int as runs from machine_change`;
  assert.equal(counts?.runs, 20, 'five jobs of four nodes');
  for (let step = 0; step < 150; step += 1) {
    if (step % 10 === 9) await countMachines(app.context);
    await sql`
      update task set ${sql.unsafe(pick(changes))} where job_id = ${pick(jobs).id} and machine_uuid = ${pick(machines)}`;
    await assertSame(users);
  }
  await sql`delete from task_lease`;
  await sql`delete from task where job_id = ${jobs[0].id} and machine_uuid in ('a', 'b')`;
  await assertSame(users);
  await Promise.all([
    ...Array.from(
      { length: 20 },
      () => sql`
      update task set ${sql.unsafe(pick(changes))} where id in (select id from task order by random() limit 1)`,
    ),
    ...Array.from({ length: 5 }, () => countMachines(app.context)),
  ]);
  await assertSame(users);
  await countMachines(app.context);
  await assertSame(users);
  assert.equal((await sql`select from machine_change`).length, 0);
  await sql`update task set deleted_at = now() where deleted_at is null`;
  assert.equal((await selectMachines(sql, { customerId: null, limit: 10, offset: 0 })).length, 0);
});

test('two jobs that change runs of the same machines in opposite order do not wait for each other', async () => {
  const user = await makeUser(app);
  const [left, right] = [await makeJob(app, user, { node_count: 2 }), await makeJob(app, user, { node_count: 2 })];
  for (const job of [left, right]) for (const machine of ['x', 'y']) await new Node(app, job, machine).register();
  await countMachines(app.context);
  const [done, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const complete = (tx: Queryable, job: MadeJob, machine: string) => tx`
    update task set state = 'completed', ended_at = now() where job_id = ${job.id} and machine_uuid = ${machine}`;
  const held = sql.begin(async (tx) => {
    await complete(tx, left, 'x');
    changed.resolve();
    await done.promise;
    await complete(tx, left, 'y');
  });
  await changed.promise;
  // Both machines, of which the other transaction holds one: also what adds up goes on.
  for (const machine of ['y', 'x']) await complete(sql, right, machine);
  await countMachines(app.context);
  done.resolve();
  await held;
  const listed = await selectMachines(sql, { customerId: user.customerId, limit: 10, offset: 0 });
  assert.deepEqual(
    listed
      .map(({ machine_uuid, runs, completed }) => ({ machine_uuid, runs, completed }))
      .toSorted((a, b) => a.machine_uuid.localeCompare(b.machine_uuid)),
    ['x', 'y'].map((machine_uuid) => ({ machine_uuid, runs: 2, completed: 2 })),
  );
});

test('runs that were there before they were counted are counted once the database is upgraded', async (t) => {
  const { sql: old } = await emptyDatabase(t);
  await migrate(old, { upTo: BEFORE_COUNTS });
  await old`alter table task drop constraint task_job_id_fkey`;
  await old`insert into customer (id, name, created_at) values (1, 'first', now()), (2, 'second', now())`;
  await old`
    insert into task (id, job_id, customer_id, machine_uuid, session_id, agent_version, state, simulated, created_at, ended_at, deleted_at)
    select n, n, 1 + n % 2, 'm' || n % 3, gen_random_uuid(), '0.1.0', case when n % 5 = 0 then 'completed' else 'failed' end,
      n % 6 = 0, now(), now(), case when n % 7 = 0 then now() end
    from generate_series(1, 60) n`;
  await migrate(old);
  const rows = await old`
    select customer_id::int as customer, machine_uuid as machine, runs, completed, simulated from machine_runs order by 1, 2`;
  // n % 6 says both which customer and which machine, so each has ten runs, less those that are deleted.
  const expected = [1, 2].flatMap((customer) =>
    ['m0', 'm1', 'm2'].map((machine) => {
      const own = Array.from({ length: 60 }, (_, at) => at + 1).filter(
        (n) => 1 + (n % 2) === customer && `m${n % 3}` === machine && n % 7 !== 0,
      );
      const count = (of: (n: number) => boolean): number => own.filter(of).length;
      return {
        customer,
        machine,
        runs: own.length,
        completed: count((n) => n % 5 === 0),
        simulated: count((n) => n % 6 === 0),
      };
    }),
  );
  assert.deepEqual([...rows], expected);
  assert.equal((await old`select from machine_change`).length, 0);
  await old`update task set deleted_at = now() where id = 30`;
  assert.deepEqual(
    [
      ...(await old`select machine_uuid, sum(runs)::int as runs, sum(completed)::int as completed from machine_change group by 1`),
    ],
    [{ machine_uuid: 'm0', runs: -1, completed: -1 }],
  );
});
