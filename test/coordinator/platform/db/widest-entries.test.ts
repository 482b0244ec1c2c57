import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jobLimits } from '../../../../coordinator/contract/job.ts';
import { benchmarkNames } from '../../../../coordinator/lifecycle/benchmarks.ts';
import { seededRandom } from '../../../../coordinator/network/schedule/seeded-random.ts';
import { testApp } from '../../../support/app.ts';
import { makeUser } from '../../../support/client.ts';
import { makeJob, Node } from '../../jobs/node.ts';

/** Postgres refuses a row if one of its entries in a B-tree would have more than 2,704 bytes. */
const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.context;
const random = seededRandom('widest entries');

/** Characters of four bytes that do not repeat, so that nothing of them can be compressed. */
const wide = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(0x1_00_00 + random.below(0x1_00_00))).join('');

test('a job with the longest name and tags and all benchmarks fits the indexes of its lists, and is found', async () => {
  const user = await makeUser(app);
  const tags = Array.from({ length: jobLimits.tags }, () => wide(jobLimits.tagLength));
  const job = await makeJob(app, user, {
    name: wide(jobLimits.nameLength),
    tags,
    benchmarks: Object.keys(benchmarkNames),
    node_count: 2,
  });
  const [found] = await sql<
    { id: string }[]
  >`select id from job where tags @> ${tags.slice(3, 5)} and name = ${job.name}`;
  assert.equal(found?.id, job.id);
});

test('a machine with the longest id, host name and model fits the index of machines', async () => {
  const user = await makeUser(app);
  const node = new Node(app, await makeJob(app, user));
  await node.run();
  const changed = await sql`
    update task set machine_uuid = ${wide(60)}, hostname = ${wide(255)}, gpu_model = ${wide(200)} where job_id = ${node.job.id}`;
  assert.equal(changed.count, 1);
});
