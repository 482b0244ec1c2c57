import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runEvent } from '../../../agent/run/run-event.ts';
import { fakeCoordinator, refused } from '../support/fake-coordinator.ts';
import type { LinkScript } from '../support/fake-link.ts';
import { fakeNetwork } from '../support/fake-network.ts';
import { preflightPlan, slotsPlan } from '../support/network-plans.ts';
import { eventsOf, exitCodeOf, hostWithRunner, shortLimits, summaryOf, untilOutput } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';
import type { TestHost } from '../support/test-host.ts';

const JOB = ['cluster_network', 'quick_mark'];
const commandsOf = (host: TestHost): string[] =>
  readFileSync(join(host.folder, 'native', 'build', 'link.log'), 'utf8')
    .trim()
    .split('\n');

test('a node joins, dials, measures its slots and reports each once, in the order of the sequence, and uploads no result of its own', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([preflightPlan, slotsPlan(['0.1', '0.2']), slotsPlan(['0.3'])]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  assert.deepEqual(
    network.taken.map((report) => `${report.kind} ${report.id}`),
    ['dial p.0.1', 'slot 0.1', 'slot 0.2', 'slot 0.3'],
  );
  const [join, ...others] = network.joins;
  assert.equal(others.length, 0);
  assert.deepEqual(
    join?.endpoints.map(({ address, port, interface: name }) => [address, port, name]),
    [['10.9.8.7', 20_000, 'eth0']],
  );
  assert.equal(join?.capabilities.congestion_control, 'cubic');
  const order = coordinator.calls
    .map(({ name }) => name)
    .filter((name) => ['join', 'report', 'results'].includes(name));
  assert.deepEqual([order[0], order.at(-1)], ['join', 'results']);
  assert.deepEqual(
    coordinator.named('results').map(({ body }) => [body['benchmark_id'], body['item']]),
    [['quick_mark', 1]],
  );
  const summary = summaryOf(host);
  assert.deepEqual(
    summary.network.map(({ outcome, node, nodes_joined }) => [outcome, node, nodes_joined]),
    [['completed', 0, 2]],
  );
  const events = eventsOf(host).map((line) => runEvent.parse(line));
  const ends = events.flatMap((event) =>
    event.type === 'measurement' ? [`${event.benchmark_id} ${event.state}`] : [],
  );
  assert.deepEqual(ends, ['cluster_network completed', 'quick_mark completed']);
});

test("starts are absolute in the runner's clock although the coordinator's is a day ahead", async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1'])]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  const slot = network.taken.find(({ kind }) => kind === 'slot');
  assert.ok(slot?.kind === 'slot' && slot.started_at_ms !== null);
  const command = commandsOf(host).find((line) => line.startsWith('slot '));
  const start = Number(/ start=([\d.]+)/.exec(command ?? '')?.[1]);
  const now = Number(process.hrtime.bigint()) / 1e6;
  assert.ok(start < now && start > now - 60_000, command ?? 'no slot');
  // The fake runner starts 1.5 ms late by its own account.
  assert.equal(slot.start_skew_ms, 1.5);
});

test('a coordinator restart between the join and the first time request does no harm', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1'])]);
  coordinator.answer = (name, count, body) =>
    name === 'sync' && count < 8 ? refused(503, 'STARTING', { 'retry-after': '0' }) : network.answer(name, count, body);
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  assert.deepEqual(
    network.taken.map(({ id }) => id),
    ['0.1'],
  );
});

test('a late joiner skips cluster_network with a message, still delivers quick_mark, and ends with 3', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  coordinator.answer = (name) => (name === 'join' ? refused(409, 'NETWORK_STARTED') : undefined);
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 3);
  assert.equal(coordinator.results.size, 1);
  const { network, warnings } = summaryOf(host);
  assert.equal(network[0]?.outcome, 'skipped');
  assert.match(warnings.join(), /had started before this node joined/);
  assert.deepEqual(coordinator.named('poll'), []);
});

test('an incomplete run is reported, and the node does not end with success', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([]);
  network.ended = { outcome: 'skipped', message: 'only one node joined within 120 s' };
  coordinator.answer = network.answer;
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 3);
  assert.equal(coordinator.results.size, 1);
  assert.match(host.out(), /cluster_network skipped: only one node joined within 120 s/);
});

test('reports stay queued while the coordinator is unreachable, and each arrives once it is back', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1', '0.2', '0.3'])]);
  coordinator.answer = (name, count, body) => {
    const isNetwork = ['poll', 'report'].includes(name);
    const isAway = isNetwork && count >= (name === 'poll' ? 1 : 0) && count < 4;
    if (isAway) return count % 2 === 0 ? 'reset' : { status: 503, body: 'starting' };
    return network.answer(name, count, body);
  };
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  assert.deepEqual(network.taken.map(({ id }) => id).toSorted(), ['0.1', '0.2', '0.3']);
  assert.match(host.out(), /the coordinator does not answer/);
});

test('after the end of its plan a node waits for a silent coordinator no longer than the limit, then continues the job', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1'])]);
  coordinator.answer = (name, count, body) => {
    if (name === 'report' || (name === 'poll' && count >= 1)) return { status: 503, body: 'down' };
    return network.answer(name, count, body);
  };
  const host = hostWithRunner(t);
  const limits = { ...shortLimits, network_away_ms: 700, network_farewell_ms: 100 };
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url), {}, limits), 3);
  const {
    network: [run],
    warnings,
  } = summaryOf(host);
  assert.deepEqual([run?.outcome, run?.reports_undelivered], ['failed', 1]);
  assert.match(warnings.join(), /has not answered for \d+ s.*1 reports of links could not be delivered/);
  assert.equal(coordinator.results.size, 1);
});

test('a runner that dies is reported for each slot and to the user, and fails the run once quick_mark is delivered', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1', '0.2'])]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t, { link: { dies_at: 'slot' } });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 6);
  assert.deepEqual(
    network.taken.map((report) => report.kind === 'slot' && [report.id, report.status, report.code]),
    [
      ['0.1', 'transport_error', 'RUNNER_DIED'],
      ['0.2', 'transport_error', 'RUNNER_DIED'],
    ],
  );
  assert.equal(coordinator.results.size, 1);
  assert.match(summaryOf(host).error?.message ?? '', /link ended by exit code 3/);
});

test('a runner with other output, or another clock, is not used', async (t) => {
  const scripts: LinkScript[] = [{ babbles_at: 'listen' }, { clock_off: 5_000 }, { clock_off: -5_000 }];
  for (const link of scripts) {
    await using coordinator = await fakeCoordinator(JOB);
    coordinator.answer = fakeNetwork([slotsPlan(['0.1'])]).answer;
    const host = hostWithRunner(t, { link });
    assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 6, JSON.stringify(link));
    assert.equal(coordinator.results.size, 1);
  }
});

test('a slot without an answer from the runner is reported as timed out, and the next one is measured', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([slotsPlan(['0.1', '0.2'])]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t, { link: { silent: ['0.1'] } });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 0);
  const found = network.taken.map((report) =>
    report.kind === 'slot' ? `${report.id} ${report.status} ${report.code}` : '',
  );
  assert.deepEqual(found.toSorted(), ['0.1 timeout RUNNER_SILENT', '0.2 ok null']);
  assert.ok(commandsOf(host).includes('cancel id=0.1'));
});

test('a stop signal ends it at once: listeners close, results are delivered, and the abort is reported', async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([
    slotsPlan(['0.1']),
    slotsPlan(['0.2'], { starts_at_ms: Date.now() + 1e9, slot_ms: 3_000 }),
  ]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t);
  const running = exitCodeOf(host, jobToken(coordinator.url));
  await coordinator.until('report', 1);
  await untilOutput(host, '"rounds_done":2');
  host.signal('SIGINT');
  assert.equal(await running, 130);
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'aborted');
  assert.deepEqual(
    network.taken.map(({ id }) => id),
    ['0.1'],
  );
  assert.equal(summaryOf(host).network[0]?.outcome, 'aborted');
});

test("the node's own port range overrides the job's; an address in use is left out and reported", async (t) => {
  await using coordinator = await fakeCoordinator(JOB);
  const network = fakeNetwork([]);
  coordinator.answer = network.answer;
  const host = hostWithRunner(t, { link: { taken: ['10.9.8.7'] } });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url), { netPortRange: '4000-4010' }), 0);
  assert.ok(commandsOf(host).includes('listen address=10.9.8.7 ports=4000-4010'));
  assert.deepEqual(network.joins[0]?.endpoints, []);
  assert.match(
    network.joins[0]?.capabilities.notes.join() ?? '',
    /cannot listen on 10\.9\.8\.7 \(eth0, ports 4000-4010\): EADDRINUSE/,
  );
});
