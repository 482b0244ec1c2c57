import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { probeCollective } from '../../../../agent/links/collective/probe-collective.ts';
import { CollectiveNode, type CollectivePlan } from '../../../../agent/links/collective/run-collective.ts';
import { networkReport } from '../../../../coordinator/contract/network-protocol.ts';
import { clockFrom, simulatedRunner } from './simulated-runner.ts';

const plan = (over: Partial<CollectivePlan> = {}): CollectivePlan => ({
  id: 'c.7',
  library: 'nccl',
  unique_id: null,
  first_rank: 0,
  ranks: 2,
  devices: 1,
  ends_at_ms: 1_000_000 + 40_000,
  ...over,
});

function nodeOn(runner_path: string, over = new AbortController().signal) {
  const pids: number[] = [];
  const clock = clockFrom(1_000_000);
  const node = new CollectiveNode({ runner_path, clock, over, on_start: (pid) => pids.push(pid) });
  const running = (): number => pids.filter((pid) => existsSync(`/proc/${pid}`)).length;
  return { node, pids, running };
}

/** The id that the first node reports. */
async function idOf(node: CollectiveNode, wanted: CollectivePlan): Promise<string> {
  const report = await node.perform(wanted);
  assert.ok(report?.kind === 'unique_id' && report.id === wanted.id, JSON.stringify(report));
  networkReport.parse(report);
  return report.unique_id;
}

test('two nodes: the first makes the id, both run with it, both report the same figures, and nothing is left running', async (t) => {
  const runner = await simulatedRunner(t, ['nvidia', 'collective-nvidia']);
  const [first, second] = [nodeOn(runner), nodeOn(runner)];
  assert.equal(await second.node.perform(plan({ first_rank: 1 })), null, 'without the id there is nothing to do yet');
  const unique_id = await idOf(first.node, plan());
  assert.equal(first.running(), 1, 'the maker of the id lives on');
  const reports = await Promise.all([
    first.node.perform(plan({ unique_id })),
    second.node.perform(plan({ unique_id, first_rank: 1 })),
  ]);
  for (const report of reports) {
    assert.ok(report?.kind === 'collective' && report.result !== null, JSON.stringify(report));
    networkReport.parse(report);
    const { library, nodes, ranks, verified, simulated } = report.result;
    assert.deepEqual([library, nodes, ranks, verified, simulated], ['nccl', 2, 2, true, true]);
    assert.deepEqual(report, reports[0]);
  }
  assert.equal(first.running() + second.running(), 0);
});

test('a node’s report of a size follows the contract, and a library that waits in its calls is marked by size', async (t) => {
  const faults = { GPUMARK_SIM_DEVICES: '2', GPUMARK_SIM_COLLECTIVE_FAULT: 'waits@1' };
  const { node } = nodeOn(await simulatedRunner(t, ['nvidia', 'collective-nvidia'], faults));
  const alone = plan({ devices: 2 });
  const unique_id = await idOf(node, alone);
  const report = await node.perform({ ...alone, unique_id });
  assert.ok(report?.kind === 'collective' && report.result !== null, JSON.stringify(report));
  assert.deepEqual(networkReport.parse(report), report, 'the coordinator keeps what it parses');
  const { all_reduce, broadcast } = report.result;
  const held = [...all_reduce, ...broadcast].map(({ held_until_enqueued }) => held_until_enqueued);
  assert.deepEqual(
    held,
    held.map(() => false),
  );
  assert.ok(held.length >= 2);
});

test('if a peer never joins there is a report with the reason before the plan ends, and nothing is left running', async (t) => {
  const { node, running } = nodeOn(await simulatedRunner(t, ['nvidia', 'collective-nvidia']));
  // The runner has what is left less 4 s: 6 s, of which a busy machine takes some for its start.
  const short = plan({ ends_at_ms: 1_000_000 + 10_000 });
  const unique_id = await idOf(node, short);
  const report = await node.perform({ ...short, unique_id });
  assert.ok(report?.kind === 'collective' && report.result === null);
  assert.match(report.message ?? '', /the deadline passed while waiting for all 2 ranks to join/);
  assert.equal(running(), 0);
});

test('a wrong sum is a report without figures that names it', async (t) => {
  const faults = { GPUMARK_SIM_DEVICES: '2', GPUMARK_SIM_COLLECTIVE_FAULT: 'wrong-sum@1' };
  const { node, running } = nodeOn(await simulatedRunner(t, ['nvidia', 'collective-nvidia'], faults));
  const unique_id = await idOf(node, plan());
  const report = await node.perform(plan({ unique_id, devices: 2 }));
  assert.ok(report?.kind === 'collective' && report.result === null);
  assert.match(report.message ?? '', /all-reduce of 1048576 bytes: 1 of 262144 elements are wrong on rank 1/);
  assert.equal(running(), 0);
});

test('an id that cannot be created, and too many devices, give reports with the reason', async (t) => {
  const broken = await simulatedRunner(t, ['nvidia', 'collective-nvidia'], {
    GPUMARK_SIM_COLLECTIVE_FAULT: 'id-error',
  });
  const report = await nodeOn(broken).node.perform(plan());
  assert.ok(
    report?.kind === 'collective' && /ncclGetUniqueId failed/.test(report.message ?? ''),
    JSON.stringify(report),
  );
  const { node } = nodeOn(await simulatedRunner(t, ['nvidia', 'collective-nvidia']));
  const few = await node.perform(plan({ unique_id: '0'.repeat(256), devices: 2 }));
  assert.ok(few?.kind === 'collective' && /only 1 devices are usable/.test(few.message ?? ''), JSON.stringify(few));
});

test('after the run is over nothing is reported and nothing is left running', async (t) => {
  const over = new AbortController();
  const { node, pids, running } = nodeOn(await simulatedRunner(t, ['nvidia', 'collective-nvidia']), over.signal);
  const unique_id = await idOf(node, plan());
  const waiting = node.perform(plan({ unique_id }));
  assert.equal(pids.length, 2);
  over.abort();
  assert.equal(await waiting, null);
  await node.close();
  assert.equal(running(), 0);
  assert.equal(await node.perform(plan({ unique_id })), null);
  assert.equal(pids.length, 2, 'nothing is started any more');
});

test('a node reports its library, or why it has none; a machine without GPUs gives no reason', async (t) => {
  const probe = async (folders: string[]) => probeCollective(await simulatedRunner(t, folders));
  assert.deepEqual(await probe(['amd', 'collective-amd']), {
    capability: { library: 'rccl', version: '2.27.3', devices: 1, simulated: true },
    notes: [],
  });
  const without = await probe(['nvidia']);
  assert.equal(without.capability, null);
  assert.match(without.notes.join(), /^NCCL: no libnccl\.so was found \(looked in the loader's path, /);
  assert.ok(without.notes.every((note) => note.length <= 300));
  assert.deepEqual(await probe([]), { capability: null, notes: [] });
  const { capability, notes } = await probeCollective('/nowhere/gpumark-runner');
  assert.equal(capability, null);
  assert.equal(notes.length, 1);
});
