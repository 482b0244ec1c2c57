import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { attachReport } from '../../../coordinator/lifecycle/job-rows.ts';
import { unpackReport } from '../../../coordinator/reports/unpack-report.ts';
import { reportData } from '../../../coordinator/jobs/report-data.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { at, evidenceOf, getJob, makeJob, Node, textAt } from './node.ts';

const PATH = '/api/gpu-mark/v1/jobs';
const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);
const request = (method: string, path: string, body?: unknown) =>
  call(app, method, path, { body, headers: user.authorization });
const remove = (body: unknown) => request('DELETE', `${PATH}/delete`, body);

test('DELETE 200 for created and ended jobs: gone from everywhere, tasks included', async () => {
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.run();
  assert.deepEqual((await remove({ id: job.id })).body, { id: job.id, deleted: true });
  for (const path of [`${PATH}/${job.id}`, `${PATH}/${job.id}/results`, `/api/gpu-mark/v1/tasks/${node.taskId}`]) {
    const answer = await request('GET', path);
    assert.deepEqual([answer.status, at(answer.body, 'error', 'code')], [404, 'RESOURCE_NOT_FOUND'], path);
  }
  assert.equal(at((await request('GET', PATH)).body, 'pagination', 'total'), 0);
  assert.equal((await remove({ id: job.id })).status, 404);
  const [{ count } = { count: -1 }] = await app.platform.sql<
    { count: number }[]
  >`select count(*)::int from scoreboard_entry where job_id = ${job.id}`;
  assert.equal(count, 0, 'its figures count for nobody any more');
});

test('DELETE takes the id as text or as an integer of 19 digits', async () => {
  const job = await makeJob(app, user);
  const answer = await app.app.request(`${PATH}/delete`, {
    method: 'DELETE',
    headers: { ...user.authorization, 'content-type': 'application/json' },
    body: `{"job_id": ${job.id}}`,
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { id: job.id, deleted: true });
});

test('DELETE 400 in starting and running, and for a body without an id; 404 for no such job', async () => {
  const waiting = await makeJob(app, user, { node_count: 2 });
  await new Node(app, waiting).register();
  const running = await makeJob(app, user);
  await new Node(app, running).register();
  for (const { id } of [waiting, running]) {
    const answer = await remove({ id });
    assert.equal(answer.status, 400);
    assert.equal((await request('GET', `${PATH}/${id}`)).status, 200, 'it is still there');
  }
  for (const body of [{}, { id: 'abc' }, { id: '99999999999999999999' }, { id: -1 }])
    assert.equal((await remove(body)).status, 400);
  assert.equal((await remove({ id: '1' })).status, 404);
});

test('GET 404 for a job that never was, 400 for an invalid id', async () => {
  assert.equal((await request('GET', `${PATH}/1234567890123456789`)).status, 404);
  for (const id of ['abc', '0', '99999999999999999999', '-1'])
    assert.equal((await request('GET', `${PATH}/${id}`)).status, 400, id);
});

test('results are keyed by benchmark, with names for people where asked for', async () => {
  const job = await makeJob(app, user, { benchmarks: ['cluster_network'] });
  await new Node(app, job).run([
    { bf16: 700, celsius: 60 },
    { bf16: 720, celsius: 66 },
  ]);
  const plain = (await request('GET', `${PATH}/${job.id}/results`)).body;
  assert.equal(at(plain, 'quick_mark', 'benchmark_name'), 'QuickMark');
  assert.equal(at(plain, 'quick_mark', 'results', 'test_results', 1, 'bf16_tflops'), 720);
  assert.equal(at(plain, 'quick_mark', 'results', 'aggregate_results', 'bf16_tflops'), 1420);
  assert.equal(at(plain, 'quick_mark', 'results', 'aggregate_results', 'temperature_centigrade'), 66);
  assert.equal(at(plain, 'cluster_network', 'state'), 'skipped');
  const named = (await request('GET', `${PATH}/${job.id}/results?include_display_names=true`)).body;
  assert.equal(at(named, 'quick_mark', 'Results', 'Results by GPU', 1, 'BF16 (TFLOPS)'), 720);
  assert.equal((await request('GET', `${PATH}/${job.id}/results?include_display_names=maybe`)).status, 400);
});

test('a job sums its nodes, and says null if one of them lacks the figure', async () => {
  const job = await makeJob(app, user, { node_count: 2 });
  await new Node(app, job).run([{ bf16: 700, watts: 600, celsius: 60 }]);
  await new Node(app, job).run([{ bf16: 710, watts: null, celsius: 70 }]);
  const aggregate = at(await getJob(app, user, job.id), 'quickmark_aggregate_results');
  assert.equal(at(aggregate, 'bf16_tflops'), 1410);
  assert.equal(at(aggregate, 'power_consumption_watts'), null);
  assert.equal(at(aggregate, 'temperature_centigrade'), 70);
});

test('an owner aborts an active job once', async () => {
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.register();
  assert.deepEqual((await request('POST', `${PATH}/abort`, { id: job.id })).body, { id: job.id, state: 'aborted' });
  assert.equal(at((await node.beat()).body, 'task_state'), 'aborted');
  const again = await request('POST', `${PATH}/abort`, { id: job.id });
  assert.deepEqual([again.status, at(again.body, 'error', 'code')], [400, 'PARAMETER_INCORRECT_VALUE']);
  const stranger = await makeUser(app);
  const foreign = await call(app, 'POST', `${PATH}/abort`, { body: { id: job.id }, headers: stranger.authorization });
  assert.equal(foreign.status, 404);
});

test('the report gets everything as plain data, and its link appears where it is attached', async () => {
  const job = await makeJob(app, user, { name: 'reported', tags: ['eu'] });
  const node = new Node(app, job);
  await node.run();
  const report = unpackReport(await reportData(app.context, { kind: 'job', id: job.id }));
  assert.ok(report.kind === 'job');
  assert.equal(report.job.name, 'reported');
  assert.deepEqual(
    report.nodes.map((entry) => [entry.taskId, entry.state, entry.results[0]?.benchmarkId]),
    [[node.taskId, 'completed', 'quick_mark']],
  );
  assert.equal(report.nodes[0]?.inventory?.machine_uuid, node.machineUuid);
  assert.equal(report.performance?.status, 'nominal');
  const single = await reportData(app.context, { kind: 'task', id: node.taskId });
  assert.ok(single.kind === 'task' && single.node.taskId === node.taskId);
  await assert.rejects(reportData(app.context, { kind: 'job', id: '1' }), /not found/);

  assert.equal(at(await getJob(app, user, job.id), 'pdf_report_url'), null, 'null until rendered');
  const stored = await app.platform.artifacts.put(Buffer.from('%PDF-1.7'), {
    contentType: 'application/pdf',
    extension: 'pdf',
  });
  const artifactId = app.platform.newId();
  await app.platform.sql`
    insert into artifact (id, job_id, customer_id, kind, storage_key, file_name, content_type, sha256, size_bytes, created_at)
    values (${artifactId}, ${job.id}, ${user.customerId}, 'job_report', ${stored.key}, 'reported.pdf', 'application/pdf', ${stored.sha256}, ${stored.sizeBytes}, now())`;
  assert.equal(await attachReport(app.platform.sql, { kind: 'job', id: job.id, artifactId }), true);
  assert.equal(await attachReport(app.platform.sql, { kind: 'task', id: node.taskId, artifactId }), true);
  const done = await getJob(app, user, job.id);
  assert.match(textAt(done, 'pdf_report_url'), /^http:\/\/coordinator\.test\/artifacts\/.*reported\.pdf/);
  assert.match(textAt(done, 'tasks', 0, 'pdf_report_url'), /signature=/);
});

test('processors are never added up with GPUs', async () => {
  const job = await makeJob(app, user, { node_count: 2 });
  const [gpu, cpu] = [new Node(app, job), new Node(app, job)];
  for (const node of [gpu, cpu]) await node.register();
  await gpu.deliver([{ bf16: 700 }]);
  await cpu.deliver([{ vendor: 'cpu', model: 'EPYC', bf16: 1 }]);
  for (const node of [gpu, cpu]) await node.complete();
  const done = await getJob(app, user, job.id);
  assert.equal(at(done, 'state'), 'completed_with_warnings');
  assert.equal(at(done, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results'), null);
  assert.deepEqual(evidenceOf(done), ['some nodes measured processors and some GPUs; their figures are not added up']);
});
