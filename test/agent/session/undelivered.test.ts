import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { upload } from '../../../agent/cli/upload-command.ts';
import { fakeCoordinator, proxyPage, refused } from '../support/fake-coordinator.ts';
import { exitCodeOf, hostWithRunner, jsonFlags, shortLimits, spoolOf, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';

test('a coordinator lost after registration loses nothing: exit 7, result in the spool, upload delivers it once', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'results' ? 'reset' : undefined);
  const host = hostWithRunner(t);
  const token = jobToken(coordinator.url);
  assert.equal(await exitCodeOf(host, token), 7);
  assert.equal(summaryOf(host).next_command, 'gpumark-agent upload');
  const [file] = spoolOf(host);
  assert.ok(file);
  assert.equal(statSync(join(host.folder, 'state', 'spool', file)).mode & 0o777, 0o600);
  assert.equal(statSync(join(host.folder, 'state', 'spool')).mode & 0o777, 0o700);
  coordinator.answer = () => undefined;
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
  assert.equal(coordinator.results.size, 1);
  assert.equal(coordinator.named('complete').length, 1);
  assert.deepEqual(spoolOf(host), []);
});

test('a result that arrived although its answer was lost is delivered again and counted once', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name, count, body) => {
    if (name !== 'results' || count > 0) return undefined;
    coordinator.results.add(String(body['result_key']));
    return 'reset';
  };
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url), {}, { ...shortLimits, delivery_ms: 10_000 }), 0);
  assert.equal(coordinator.named('results').length, 2);
  assert.equal(coordinator.results.size, 1);
});

test('an answer that names another result is not an acknowledgement: the file stays', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) =>
    name === 'results'
      ? {
          status: 200,
          body: { result_key: 'f'.repeat(64), duplicate: false, task_state: 'uploading', job_state: 'running' },
        }
      : undefined;
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 7);
  assert.equal(spoolOf(host).length, 1);
});

test('an answer from a proxy instead of the coordinator is not a refusal: the result stays in the spool', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  for (const status of [301, 403, 404]) {
    coordinator.answer = (name) => (name === 'results' ? proxyPage(status) : undefined);
    assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 7);
    assert.equal(await upload(host, jsonFlags, shortLimits), 7);
  }
  assert.deepEqual([spoolOf(host).length, spoolOf(host, 'quarantine').length], [3, 0]);
});

test('heartbeats continue after a proxy’s error page', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name, count) => (name === 'heartbeat' && count === 0 ? proxyPage(404) : undefined);
  assert.equal(await exitCodeOf(hostWithRunner(t), jobToken(coordinator.url)), 0);
  assert.ok(coordinator.named('heartbeat').length > 1);
});

test('upload --quarantined retries refused results, and the refusal mentions it', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'results' ? refused(404, 'RESOURCE_NOT_FOUND') : undefined);
  const host = hostWithRunner(t);
  await exitCodeOf(host, jobToken(coordinator.url));
  assert.match(summaryOf(host).error?.message ?? '', /upload --quarantined/);
  coordinator.answer = () => undefined;
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
  assert.equal(coordinator.results.size, 0);
  assert.equal(await upload(host, { ...jsonFlags, quarantined: true }, shortLimits), 0);
  assert.equal(coordinator.results.size, 1);
  assert.deepEqual([spoolOf(host), spoolOf(host, 'quarantine')], [[], []]);
});

test("upload's --coordinator and GPUMARK_COORDINATOR are handled as in a run", async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  await exitCodeOf(host, jobToken('http://127.0.0.1:9'), { offline: true });
  await assert.rejects(upload(host, { ...jsonFlags, coordinator: 'here' }, shortLimits), { code: 2 });
  assert.equal(spoolOf(host).length, 1);
  const blank = { ...host, env: { ...host.env, GPUMARK_COORDINATOR: ' ' } };
  assert.equal(await upload(blank, jsonFlags, shortLimits), 7);
  assert.match(host.err(), /127\.0\.0\.1:9 cannot be reached/);
  assert.equal(await upload(host, { ...jsonFlags, coordinator: `${coordinator.url}/` }, shortLimits), 0);
  assert.deepEqual([coordinator.results.size, spoolOf(host, 'quarantine')], [1, []]);
});

test('a file that another process has delivered in the meantime is skipped', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  // Equal results would count once.
  for (const location of ['SE', 'NO', 'FI'])
    await exitCodeOf(host, jobToken(coordinator.url), { offline: true, location });
  // The other process takes the last file while the first one is on its way.
  coordinator.answer = (name, count) => {
    const last = spoolOf(host).toSorted()[2];
    if (name === 'results' && count === 0 && last) rmSync(join(host.folder, 'state', 'spool', last));
    return undefined;
  };
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
  assert.match(host.out(), /"delivered":2,"duplicates":0,"quarantined":0,"left":0/);
});

test('a file that another process removes while it is being refused is not an error', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  await exitCodeOf(host, jobToken(coordinator.url), { offline: true });
  coordinator.answer = (name) => {
    if (name !== 'results') return undefined;
    for (const file of spoolOf(host)) rmSync(join(host.folder, 'state', 'spool', file));
    return refused(404, 'RESOURCE_NOT_FOUND');
  };
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
});

test('a permanently refused result goes to quarantine and is never deleted', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'results' ? refused(404, 'RESOURCE_NOT_FOUND') : undefined);
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 4);
  assert.deepEqual(spoolOf(host), []);
  assert.equal(spoolOf(host, 'quarantine').length, 1);
});

test('--offline measures without any contact; upload registers and delivers', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url), { offline: true }), 0);
  assert.equal(coordinator.calls.length, 0);
  assert.equal(spoolOf(host).length, 1);
  assert.equal(await upload(host, jsonFlags, shortLimits), 0);
  assert.deepEqual(
    coordinator.calls.map((call) => call.name),
    ['register', 'results', 'complete'],
  );
});

test('upload to a coordinator that is down leaves the file and ends with 7', async (t) => {
  const host = hostWithRunner(t);
  await exitCodeOf(host, jobToken('http://127.0.0.1:9'), { offline: true });
  assert.equal(await upload(host, jsonFlags, shortLimits), 7);
  assert.equal(spoolOf(host).length, 1);
});

test('no output and no event carries the token; only the spool file does', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'results' ? 'reset' : undefined);
  const host = hostWithRunner(t);
  const token = jobToken(coordinator.url);
  await exitCodeOf(host, token);
  await upload(host, jsonFlags, shortLimits);
  assert.ok(!host.out().includes(token.split('.')[1] ?? ''));
  assert.ok(!host.err().includes(token.split('.')[1] ?? ''));
  assert.ok(readFileSync(join(host.folder, 'state', 'spool', spoolOf(host)[0] ?? ''), 'utf8').includes(token));
});
