import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pruneJobEvents } from '../../coordinator/background.ts';
import { testApp } from '../support/app.ts';
import { makeUser } from '../support/client.ts';
import { makeJob } from './jobs/node.ts';

const app = await testApp({ after });
const { sql } = app.platform;

test('what changed in a job is forgotten after a week, by the thousand; the number of its last change stays', async () => {
  const job = await makeJob(app, await makeUser(app));
  const head = async () => [...(await sql`select seq from job_event_head where job_id = ${job.id}`)];
  const before = await head();
  assert.equal(before.length, 1);
  await sql`delete from job_event`;
  const daysAgo = (days: number): Date => new Date(app.clock.now().getTime() - days * 86_400_000);
  const insert = (first: number, last: number, at: Date) => sql`
    insert into job_event (job_id, seq, kind, subject, at)
    select ${job.id}, seq, 'node', null, ${at} from generate_series(${first}::int, ${last}::int) seq`;
  await insert(1, 5001, daysAgo(7.01));
  await insert(5002, 5003, daysAgo(6.99));
  await pruneJobEvents(app.context);
  const left = await sql<{ seq: string }[]>`select seq from job_event order by seq`;
  assert.deepEqual(
    left.map(({ seq }) => Number(seq)),
    [5002, 5003],
  );
  assert.deepEqual(await head(), before);
});
