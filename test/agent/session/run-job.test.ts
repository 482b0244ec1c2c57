import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runEvent } from '../../../agent/run/run-event.ts';
import { fakeCoordinator, refused, registration, TASK_ID } from '../support/fake-coordinator.ts';
import { eventsOf, exitCodeOf, hostWithRunner, spoolOf, summaryOf, untilOutput } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';

test('a job is registered, described, measured, delivered once and completed, in this order, under one trace id', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  const order = coordinator.calls.map((call) => call.name).filter((name) => name !== 'heartbeat');
  assert.deepEqual(order, ['register', 'inventory', 'results', 'complete', 'job']);
  assert.equal(coordinator.results.size, 1);
  const summary = summaryOf(host);
  const trace = new Set(coordinator.calls.map((call) => call.headers['x-trace-id']));
  assert.deepEqual([...trace], [summary.trace_id]);
  assert.match(summary.trace_id, /^[0-9a-f]{32}$/);
  for (const call of coordinator.calls)
    assert.match(String(call.headers['traceparent']), new RegExp(`^00-${summary.trace_id}-[0-9a-f]{16}-01$`));
  assert.equal(summary.outcome, 'completed');
  assert.equal(summary.saved, true);
  assert.equal(summary.task_id, TASK_ID);
  assert.equal(summary.report_url, 'http://report.example/r.pdf');
  assert.deepEqual(spoolOf(host), []);
});

test('the run names the job’s page for people: the one that the coordinator says, else the one at its address', async (t) => {
  await using coordinator = await fakeCoordinator();
  const page_url = 'https://portal.example/jobs/17';
  const said = registration(['quick_mark']);
  for (const [body, expected] of [
    [{ ...said, page_url }, page_url],
    [said, `${coordinator.url}/jobs/${said.job.id}`],
  ] as const) {
    coordinator.answer = (name) => (name === 'register' ? { status: 200, body } : undefined);
    const host = hostWithRunner(t);
    assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
    assert.equal(summaryOf(host).job_url, expected);
  }
});

test('heartbeats report the phases: inventory, then measuring, then uploading', async (t) => {
  await using coordinator = await fakeCoordinator();
  assert.equal(await exitCodeOf(hostWithRunner(t), jobToken(coordinator.url)), 0);
  const phases = coordinator.named('heartbeat').map((call) => call.body['phase']);
  assert.deepEqual(phases.slice(-2), ['measuring', 'uploading']);
});

test('the inventory contains the address used towards the coordinator and the country that it reported', async (t) => {
  await using coordinator = await fakeCoordinator();
  assert.equal(await exitCodeOf(hostWithRunner(t), jobToken(coordinator.url)), 0);
  const inventory = coordinator.named('inventory')[0]?.body['inventory'] as Record<string, Record<string, unknown>>;
  assert.equal(inventory['location'], 'NL');
  assert.equal(inventory['network_info']?.['machine_ip'], '127.0.0.1');
  assert.equal(inventory['network_info']?.['download_speed_mbps'], null);
  assert.equal(inventory['gpu_vendor'], 'cpu');
  assert.equal(inventory['gpu_count'], 1);
  assert.deepEqual(inventory['gpu_info'], []);
});

test("the operator's location overrides the coordinator's country", async (t) => {
  await using coordinator = await fakeCoordinator();
  assert.equal(await exitCodeOf(hostWithRunner(t, {}, { GPUMARK_LOCATION: 'Hall 7' }), jobToken(coordinator.url)), 0);
  assert.equal(
    (coordinator.named('inventory')[0]?.body['inventory'] as Record<string, unknown> | undefined)?.['location'],
    'Hall 7',
  );
});

test('every line of --json is an event of the union, the last one the summary', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t);
  await exitCodeOf(host, jobToken(coordinator.url));
  for (const line of eventsOf(host)) runEvent.parse(line);
  assert.equal(eventsOf(host).at(-1)?.['type'], 'summary');
});

test('a stale epoch stops the heartbeat but not the measurement: the result is still delivered', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'heartbeat' ? refused(409, 'STALE_EPOCH') : undefined);
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  assert.equal(coordinator.named('heartbeat').length, 1);
  assert.equal(coordinator.results.size, 1);
});

for (const [status, code] of [
  [401, 'CLIENT_TOKEN_INVALID'],
  [404, 'RESOURCE_NOT_FOUND'],
] as const)
  test(`a single ${status} on a beat is not final: the next change of phase is still reported`, async (t) => {
    await using coordinator = await fakeCoordinator();
    coordinator.answer = (name, count) => (name === 'heartbeat' && count === 0 ? refused(status, code) : undefined);
    assert.equal(await exitCodeOf(hostWithRunner(t), jobToken(coordinator.url)), 0);
    const phases = coordinator.named('heartbeat').map((call) => call.body['phase']);
    assert.deepEqual(phases.slice(-2), ['measuring', 'uploading']);
  });

test('the first signal stops the runner, keeps and delivers the results, and reports the run as aborted', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { run: 'wait' });
  const running = exitCodeOf(host, jobToken(coordinator.url));
  await coordinator.until('heartbeat', 2);
  await untilOutput(host, '"gemm_fp32"');
  host.signal('SIGINT');
  assert.equal(await running, 130);
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'aborted');
  const sent = coordinator.named('results')[0]?.body;
  assert.equal(sent?.['state'], 'failed');
  assert.match(JSON.stringify(sent?.['payload']), /"fp32_tflops":0.466/);
  assert.equal(summaryOf(host).outcome, 'aborted');
});

test('a quick test sends nothing, keeps nothing and reports that', async (t) => {
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, null), 0);
  const summary = summaryOf(host);
  assert.equal(summary.mode, 'quick-test');
  assert.equal(summary.saved, false);
  assert.equal(summary.spool_file, null);
  assert.equal(
    summary.devices[0]?.metrics.find((metric) => metric.metric === 'energy_consumption_wh')?.reason,
    'no energy counter',
  );
});
