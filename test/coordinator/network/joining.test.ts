import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { at, makeJob, Node, textAt } from '../jobs/node.ts';
import { agentOf, endJob, ITEM, join, networkJob, networkResult, runAll, evidenceOfJob } from './network-job.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const codeOf = (answer: { body: Parameters<typeof at>[0] }) => at(answer.body, 'error', 'code');

const refused: [Record<string, unknown>, RegExp][] = [
  [{ slot_seconds: 1 }, /benchmarks\[0\]\.config\.slot_seconds must be a number of seconds, 2 to 60/],
  [{ timeout: '300' }, /benchmarks\[0\]\.config\.timeout must be a number of seconds, 10 to 86400/],
  [{ graph: 'ring' }, /benchmarks\[0\]\.config\.graph must be auto, full or degree/],
  [{ graph: 'degree' }, /benchmarks\[0\]\.config\.degree .*goes with graph degree/],
  [{ degree: 8 }, /benchmarks\[0\]\.config\.degree/],
  [{ transport: 'udp' }, /benchmarks\[0\]\.config\.transport must be auto, tcp, rdma_host or rdma_gpu/],
  [{ port_range: '3000-2000' }, /benchmarks\[0\]\.config\.port_range must be two ports/],
  [{ streams: 1.5, join_seconds: 0 }, /config\.streams must be.*config\.join_seconds must be/],
];

test('a wrong configuration is a 400 that names the key and what it may hold', async () => {
  const user = await makeUser(app);
  for (const [config, sentence] of refused) {
    const answer = await call(app, 'POST', '/api/gpu-mark/v1/jobs', {
      body: { benchmarks: [{ benchmark_id: 'cluster_network', config }], node_count: 2 },
      headers: user.authorization,
    });
    assert.equal(answer.status, 400, JSON.stringify(config));
    assert.equal(codeOf(answer), 'PARAMETER_INCORRECT_VALUE');
    assert.match(textAt(answer.body, 'error', 'message'), sentence);
  }
  const good = { timeout: 300, graph: 'degree', degree: 3, slot_seconds: null, unknown_key: true };
  await makeJob(app, user, { benchmarks: [{ benchmark_id: 'cluster_network', config: good }], node_count: 2 });
});

describe('who may join', { concurrency: true }, () => {
  test('the same task keeps its seat, whatever it is asked again', async () => {
    const { nodes } = await networkJob(app, 3);
    const [first, second] = nodes as [Node, Node, Node];
    assert.equal(at((await join(first)).body, 'node'), 0);
    assert.equal(at((await join(second)).body, 'node'), 1);
    assert.equal(at((await join(first)).body, 'node'), 0);
  });

  test('a new session takes the seat over, and the old one is refused as stale', async () => {
    const run = await networkJob(app, 3);
    const [first] = run.nodes as [Node];
    await join(first);
    const old = { epoch: first.epoch };
    await app.platform
      .sql`update task_lease set expires_at = now() - interval '1 minute' where task_id = ${first.taskId}`;
    first.sessionId = randomUUID();
    assert.equal((await first.register()).status, 200);
    assert.equal(first.epoch, old.epoch + 1);
    assert.equal(at((await join(first)).body, 'node'), 0);
    for (const path of [networkPaths.join, networkPaths.sync, networkPaths.poll, networkPaths.matrix]) {
      const body = { task_id: first.taskId, epoch: old.epoch, item: ITEM, have: 0, since: 0, endpoints: [] };
      const answer = await first.post(path, { ...body, capabilities: noCapabilities });
      assert.deepEqual([answer.status, codeOf(answer)], [409, 'STALE_EPOCH'], path);
    }
  });

  test('a place that is not a cluster_network, an invalid address and a call before joining are refused', async () => {
    const { nodes } = await networkJob(app, 2);
    const [node] = nodes as [Node];
    assert.match(textAt((await join(node, { item: 0 })).body, 'error', 'message'), /item is not the index/);
    const endpoint = { address: 'node-1', port: 1, interface: 'eth0', prefix_length: 24, speed_mbps: null };
    const named = await join(node, { endpoints: [{ ...endpoint, mtu: null, connection_type: 'unknown' }] });
    assert.match(textAt(named.body, 'error', 'message'), /endpoints\[0\]\.address is not an IP address/);
    const early = await node.post(networkPaths.poll, { task_id: node.taskId, epoch: 1, item: ITEM, have: 0 });
    assert.deepEqual([early.status, codeOf(early)], [409, 'NOT_JOINED']);
  });

  test('the links of one node are skipped with the reason', async () => {
    const run = await networkJob(app, 1);
    await runAll(run);
    assert.match(run.agents[0]?.ended?.message ?? '', /at least two nodes/);
    const result = networkResult(await endJob(run));
    assert.equal(at(result, 'state'), 'skipped');
    assert.match(textAt(result, 'error_message'), /at least two nodes/);
  });

  test('after the window the run begins without nodes that never registered, and a late one is refused', async () => {
    const run = await networkJob(app, 2, { nodeCount: 3, config: { join_seconds: 1 } });
    const running = runAll(run);
    await running;
    const late = new Node(app, run.job);
    await late.register();
    const answer = await join(late);
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'NETWORK_STARTED']);
    run.nodes.push(late);
    const job = await endJob(run);
    assert.equal(at(networkResult(job), 'results', 'missing_nodes'), 1);
    assert.equal(at(networkResult(job), 'results', 'total_links_tested'), 1);
    assert.match((await evidenceOfJob(run)).join(' '), /1 node did not take part in cluster_network/);
  });

  test('a node that is alive and still busy is waited for beyond the window', async () => {
    const run = await networkJob(app, 2, { config: { join_seconds: 1 } });
    const [first, second] = run.agents;
    assert.ok(first && second);
    await first.join();
    const running = first.run();
    // two looks after the window: the run still waits
    const poll = { task_id: run.nodes[0]?.taskId, epoch: 1, item: ITEM, have: 0 };
    for (let waited = 0; waited < 3; waited += 1) {
      const answer = await run.nodes[0]?.post(networkPaths.poll, poll);
      if (at(answer?.body, 'state') !== 'joining') assert.fail('the run has begun without the node');
      const [row] = await app.platform.sql<{ over: boolean }[]>`
        select clock_timestamp() > joining_ends_at + interval '2 seconds' as over from network_run where job_id = ${run.job.id}`;
      if (row?.over === true) break;
    }
    await second.run();
    await running;
    assert.deepEqual(second.ended, { outcome: 'completed', message: null });
    assert.equal(first.slots.size, 1);
  });

  test('a job whose agents never join ends with its links skipped', async () => {
    const run = await networkJob(app, 2);
    const job = await endJob(run);
    assert.equal(at(job, 'state'), 'completed_with_warnings');
    assert.equal(at(networkResult(job), 'state'), 'skipped');
    assert.match(textAt(networkResult(job), 'error_message'), /no node of this job took part/);
  });

  test('a job that ends while nodes still wait to be joined says so', async () => {
    const run = await networkJob(app, 2);
    const [first] = run.agents;
    await first?.join();
    const job = await endJob(run);
    assert.equal(at(networkResult(job), 'state'), 'failed');
    assert.match(textAt(networkResult(job), 'error_message'), /1 of 2 nodes had joined/);
  });
});

const noCapabilities = { congestion_control: null, locked_memory_kib: null, rdma: null, collective: null, notes: [] };

test('another job’s token opens nothing of a run', async () => {
  const mine = await networkJob(app, 2);
  const theirs = await networkJob(app, 2);
  const [victim] = mine.nodes as [Node];
  const [thief] = theirs.nodes as [Node];
  await join(victim);
  await join(thief);
  const as = { task_id: victim.taskId, epoch: victim.epoch, item: ITEM };
  const report = { kind: 'dial', id: 'p.0.1', status: 'ok', stage: null, code: null, address: null, connect_us: 1 };
  const bodies: [string, object][] = [
    [networkPaths.join, { endpoints: [], capabilities: noCapabilities }],
    [networkPaths.sync, {}],
    [networkPaths.poll, { have: 0 }],
    [networkPaths.report, { reports: [report] }],
    [networkPaths.matrix, { since: 0 }],
  ];
  for (const [path, body] of bodies) {
    const answer = await thief.post(path, { ...as, ...body });
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'RESOURCE_NOT_FOUND'], path);
    const anonymous = await call(app, 'POST', path, { body: { ...as, ...body } });
    assert.equal(anonymous.status, 401, path);
    const person = await call(app, 'POST', path, { body: { ...as, ...body }, headers: mine.user.authorization });
    assert.equal(person.status, 401, path);
  }
  const own = agentOf(victim, mine.fabric);
  await own.sync();
});
