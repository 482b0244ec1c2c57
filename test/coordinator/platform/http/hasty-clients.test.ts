import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { call } from '../../../support/client.ts';
import { departures, hastyClient, openDescriptors } from '../../../support/hasty-clients.ts';
import { testApp } from '../../../support/app.ts';
import { until } from '../../../support/until.ts';
import { makeJob, Node } from '../../jobs/node.ts';
import { signedIn } from '../../portal/browser-session.ts';
import { eightGpus } from '../../portal/world.ts';

const opened = await testApp({ after });
const { user, it } = await signedIn(opened, { tier: 'enterprise', role: 'customer_admin' });
const { port } = await opened.listen();
const cookie = [...it.cookies].map((pair) => pair.join('=')).join('; ');
const EACH = 25;

/** A link to incompressible bytes, more than one piece, as they are or, as CSV, packed. */
async function linkTo(extension: 'pdf' | 'csv'): Promise<string> {
  const bytes = randomBytes(1_200_000);
  const content = extension === 'csv' ? gzipSync(bytes.toString('base64')) : bytes;
  const kind = { contentType: 'application/gzip', extension: extension === 'csv' ? 'gz' : 'pdf' };
  const { key } = await opened.platform.artifacts.put(content, kind);
  const url = new URL(
    await opened.platform.artifacts.signedUrl(key, { fileName: `large.${extension}`, lifetimeSeconds: 3600 }),
  );
  return `${url.pathname}${url.search}`;
}

/** A job with one machine whose result is kept as a file. */
async function measuredJob(): Promise<{ jobId: string; taskId: string }> {
  const job = await makeJob(opened, user);
  const node = new Node(opened, job);
  await node.register();
  const payload = eightGpus(node.machineUuid, 1);
  const sent = payload.benchmark_results['quick_mark'] as { test_results: { details: object }[] };
  for (const device of sent.test_results) Object.assign(device.details, { device: { padding: 'x'.repeat(9000) } });
  await node.results(node.result(payload));
  await node.complete();
  return { jobId: job.id, taskId: node.taskId };
}

const { jobId, taskId } = await measuredJob();
const running = await makeJob(opened, user);
const pages = { cookie };
const streams: Record<string, [path: string, headers: Record<string, string>]> = {
  'a report': [await linkTo('pdf'), {}],
  'a range of a report': [await linkTo('pdf'), { range: 'bytes=1000-' }],
  'CSV that is unpacked': [await linkTo('csv'), {}],
  'a range of CSV that is unpacked': [await linkTo('csv'), { range: 'bytes=1000-' }],
  'packed CSV': [await linkTo('csv'), { 'accept-encoding': 'gzip' }],
  'a job': [`/api/gpu-mark/v1/jobs/${jobId}`, user.authorization],
  'a list of tasks': [`/api/gpu-mark/v1/tasks?job_id=${jobId}`, user.authorization],
  'the links of a network': [`/api/gpu-mark/v1/jobs/${jobId}/network/links?format=csv`, user.authorization],
  'the audit log': ['/api/user/audit?format=csv', user.authorization],
  'a result as uploaded': [`/tasks/${taskId}/result.json`, pages],
  'a table as CSV': ['/jobs.csv', pages],
  'a table as JSON': ['/jobs.json', pages],
  'a live page': [`/jobs/${running.id}/events`, pages],
};

const filesOpen = async (): Promise<number> =>
  (await openDescriptors('self')).filter((path) => path.startsWith(opened.platform.config.dataDir)).length;

for (const [name, [path, headers]] of Object.entries(streams))
  test(`clients that ask for the head alone or leave early leave no file open: ${name}`, async () => {
    assert.equal((await call(opened, 'HEAD', path, { headers })).status, 200);
    for (const how of departures)
      await Promise.all(Array.from({ length: EACH }, () => hastyClient({ port, path, headers }, how)));
    await until('every file to be closed', async () => (await filesOpen()) === 0);
  });

test('a client that asks for the head of a live page or leaves it early gives its place back', async () => {
  const path = `/jobs/${running.id}/events`;
  // Four places for a session.
  for (const how of departures) {
    for (let round = 0; round < 8; round += 1)
      await Promise.all(Array.from({ length: 4 }, () => hastyClient({ port, path, headers: pages }, how)));
    const answer = await until('a place', async () => {
      const asked = await fetch(`http://127.0.0.1:${port}${path}`, { headers: pages });
      if (asked.status === 200) return asked;
      await asked.body?.cancel();
      return null;
    });
    await answer.body?.cancel();
  }
});
