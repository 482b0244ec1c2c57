import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { networkPaths, type NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../support/app.ts';
import { at, type Node } from '../../coordinator/jobs/node.ts';
import { endJob, ITEM, networkJob, networkResult, runAll, stateOfRun } from '../../coordinator/network/network-job.ts';
import type { SimulatedAgent } from '../../coordinator/network/simulated-agent.ts';

const app = await testApp({ after }, { logLevel: 'info' });

test('an end of a link is its own node’s to report, with the task’s epoch, and its first report stands', async () => {
  const run = await networkJob(app, 3);
  const [victim, liar] = run.nodes as [Node, Node];
  const running = runAll(run);
  const [first] = run.agents as [SimulatedAgent];
  const third = () => [...first.slots.values()].find((slot) => slot.node === 2);
  while (third() === undefined && first.ended === null) await new Promise((resolve) => setTimeout(resolve, 20));
  const named = third();
  assert.ok(named, 'the link between the first and the third node has its slot');
  const forged = { ...first.measured(named), received: { gbps: 9876.5, bytes: 1, window_ms: 1 } } as NetworkReport;
  const as = (node: Node, epoch = node.epoch) => ({ task_id: node.taskId, epoch, item: ITEM, reports: [forged] });
  assert.equal((await liar.post(networkPaths.report, as(victim))).status, 403);
  assert.equal((await liar.post(networkPaths.report, as(liar, 2_147_483_647))).status, 409);
  const own = await liar.post(networkPaths.report, as(liar));
  assert.match(JSON.stringify(at(own.body, 'refused')), /no slot of this node has that id/);
  await running;
  assert.equal((await victim.post(networkPaths.report, as(victim))).status, 200, 'acknowledged after the end');
  const results = JSON.stringify(networkResult(await endJob(run)));
  assert.ok(!results.includes('9876.5') && !(await stateOfRun(app, run.job.id)).includes('9876.5'));
});

test('the figures of a collective are its first node’s: another node’s are not taken', async () => {
  const capabilities = { collective: { library: 'nccl', version: '2.0.0', devices: 1, simulated: true } };
  const run = await networkJob(app, 2, { config: { collective: 'auto' }, agent: { capabilities } });
  const [first, second] = run.agents as [SimulatedAgent, SimulatedAgent];
  // the liar speaks first
  const { promise: lied, resolve: haveLied } = Promise.withResolvers<void>();
  const tell = first.report.bind(first);
  first.report = async (reports) => {
    if (reports.some(({ kind }) => kind === 'collective')) await lied;
    await tell(reports);
  };
  const honest = second.report.bind(second);
  const size = { bytes: 1, seconds: 1, algorithm_gbs: 9876.5, bus_gbs: 9876.5 };
  second.report = async (reports) => {
    await honest(
      reports.map((report) => {
        if (report.kind !== 'collective') return report;
        const figures = { all_reduce: [size], broadcast: [size], verified: true, simulated: true };
        return { ...report, result: { library: 'nccl', version: '2.0.0', ranks: 2, nodes: 2, ...figures } };
      }),
    );
    if (reports.some(({ kind }) => kind === 'collective')) haveLied();
  };
  await runAll(run);
  const results = at(networkResult(await endJob(run)), 'results', 'collective');
  assert.notEqual(results, undefined);
  assert.ok(!JSON.stringify(results).includes('9876.5'), JSON.stringify(results));
});
