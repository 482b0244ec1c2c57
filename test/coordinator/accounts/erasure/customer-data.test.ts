import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../../coordinator/accounts/credential-caches.ts';
import { eraseCustomer, exportCustomer } from '../../../../coordinator/accounts/erasure/customer-data.ts';
import { customerTables } from '../../../../coordinator/accounts/erasure/queries.ts';
import { sweepArtifacts } from '../../../../coordinator/platform/artifacts/sweep-artifacts.ts';
import { renderReport } from '../../../../coordinator/reports/render-report.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser } from '../../../support/client.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { getJob, makeJob, Node, textAt } from '../../jobs/node.ts';

const app = await testApp({ after });
const { sql, artifacts } = app.platform;

type User = Awaited<ReturnType<typeof makeUser>>;

async function withJob(user: User) {
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.run();
  const item = { attempts: 1, customer_id: user.customerId, error: null };
  await renderReport(app.context, { ...item, id: '1', kind: 'job_report', subject_id: job.id });
  await renderReport(app.context, { ...item, id: '2', kind: 'task_report', subject_id: node.taskId });
  const url = textAt(await getJob(app, user, job.id), 'pdf_report_url').replace('http://coordinator.test', '');
  const keys = await sql<{ key: string }[]>`select storage_key as key from artifact where job_id = ${job.id}`;
  return { job, node, url, keys: keys.map(({ key }) => key) };
}

/** Every column of every table that holds this number, by looking at all of them. */
async function placesOf(id: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`;
  const places: string[] = [];
  for (const { name } of tables) {
    const found = await sql`select from ${sql(name)} t where to_jsonb(t)::text ~ ${`\\m${id}\\M`}`;
    if (found.count > 0) places.push(name);
  }
  return places.toSorted();
}

test('a customer that is erased is nowhere any more: no row, no file, no access; its neighbour has all it had', async () => {
  const [gone, kept] = [await makeUser(app), await makeUser(app)];
  const [theirs, ours] = [await withJob(gone), await withJob(kept)];
  const ids = [gone.customerId, theirs.job.id, theirs.node.taskId];
  for (const id of ids) assert.ok((await placesOf(id)).length > 0, 'the walk finds it before');
  const neighbour = await Promise.all([kept.customerId, ours.job.id].map(placesOf));
  // As the server does four times a second.
  const look = heedRevocations(app.context);
  await look();
  const deleted = await eraseCustomer(app.context, gone.customerId);
  await look();
  assert.equal(deleted.get('customer'), 1);
  assert.ok((deleted.get('benchmark_result') ?? 0) > 0);
  await sweepArtifacts(app.context);
  // The one event that says that it was done has its number and nothing else of it.
  assert.deepEqual(await Promise.all(ids.map(placesOf)), [['audit_event'], [], []]);
  const events = await sql`select action, detail from audit_event where subject = ${gone.customerId}`;
  assert.deepEqual(
    [...events].map(({ action }) => String(action)),
    ['customer_erased'],
  );
  for (const key of theirs.keys) assert.equal(await artifacts.open(key), null);
  assert.equal((await app.app.request(theirs.url)).status, 404);
  assert.equal((await theirs.node.register()).status, 401);
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: gone.authorization })).status, 401);

  assert.deepEqual(await Promise.all([kept.customerId, ours.job.id].map(placesOf)), neighbour);
  assert.equal((await app.app.request(ours.url)).status, 200);
  await assert.rejects(eraseCustomer(app.context, gone.customerId), /not found/i);
});

test('an export has every row and file of its customer and of nobody else, and nothing that opens a door', async (t) => {
  const [user, other] = [await makeUser(app), await makeUser(app)];
  const [theirs] = [await withJob(user), await withJob(other)];
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const target = join(folder, 'export');
  const { rows, files } = await exportCustomer(app.context, user.customerId, target);
  assert.equal(rows.get('job'), 1);
  assert.equal(files, new Set(theirs.keys).size);
  const text = readdirSync(target)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(target, name), 'utf8'))
    .join('');
  for (const line of text.trim().split('\n')) JSON.parse(line);
  assert.ok(text.includes(theirs.job.id) && !text.includes(other.customerId));
  assert.doesNotMatch(text, /argon2|"(password_hash|token_hash|key_hash|secret_hash|secret|token_id)"/);
  const pdfs = readdirSync(join(target, 'files')).filter((name) => name.endsWith('.pdf'));
  assert.equal(pdfs.length, 2);
  assert.equal(
    readFileSync(join(target, 'files', pdfs[0] ?? ''))
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  );
  assert.ok(existsSync(join(target, 'customer.jsonl')));
});

test('every table that can name a customer is one that is emptied: a new one is noticed here', async () => {
  const found = await sql<{ name: string }[]>`
    select distinct c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname in ('customer_id', 'user_id', 'job_id', 'task_id', 'application_id', 'name_id')`;
  const known = new Set(customerTables.map(({ name }) => name));
  assert.deepEqual(
    found.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
  );
  assert.ok(found.length > 15);
});
