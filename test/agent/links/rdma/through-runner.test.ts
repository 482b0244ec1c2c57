import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { networkReport } from '../../../../coordinator/contract/network-protocol.ts';
import type { NetworkReport, NetworkSlot } from '../../../../coordinator/contract/network-protocol.ts';
import { CoordinatorClock } from '../../../../agent/links/link-clock.ts';
import { LinkCommands } from '../../../../agent/links/link-commands.ts';
import { performSlots } from '../../../../agent/links/perform-slots.ts';
import type { PlanTools } from '../../../../agent/links/plan-tools.ts';
import { measureRdmaSlot } from '../../../../agent/links/rdma/measure-slot.ts';
import type { RdmaSetup } from '../../../../agent/links/rdma/probe-rdma.ts';
import { startProgram } from '../../../../agent/links/rdma/run-program.ts';
import { built } from '../../../native/built-runner.ts';
import { testHost } from '../../support/test-host.ts';
import { slotOf } from './support/two-ends.ts';
import { assertNothingRuns, good, nodes } from './support/two-nodes.ts';

/** One node as the agent makes it: its runner, its clock, its way to measure over RDMA. */
async function startNode(
  t: TestContext,
  setup: RdmaSetup,
): Promise<{ commands: LinkCommands; tools: PlanTools; reports: NetworkReport[] }> {
  const { clock: host } = testHost(t);
  const clock = new CoordinatorClock(host);
  const now = host.monotonic();
  // The coordinator's clock is an hour ahead of this machine's monotonic one.
  clock.note({ sent_ms: now, received_ms: now, coordinator_ms: now + 3_600_000 });
  const commands = new LinkCommands(
    { path: await built('gpumark-runner'), allow_public: false, on_start: () => undefined },
    clock,
    (words) => t.diagnostic(words),
  );
  t.after(() => commands.close());
  assert.ok((await commands.ready()) !== null);
  const reports: NetworkReport[] = [];
  const rdma = { setup, clock, run: startProgram, random: Math.random, port_range: null, allow_public: false };
  const tools: PlanTools = {
    commands,
    clock,
    over: new AbortController().signal,
    report: (report) => reports.push(networkReport.parse(report)),
    collective: null,
    measureRdma: (slot, channel) => measureRdmaSlot({ ...rdma, slot, channel }),
  };
  return { commands, tools, reports };
}

/** A plan with one slot at both ends; keys may differ. */
async function perform(t: TestContext, keys: { dialer: string; listener: string }, wanted: Partial<NetworkSlot>) {
  const { a, b, ...setups } = nodes(t, { mlx5_0: good }, { mlx5_0: { gbps: 200, latency_us: 2 } });
  const dialer = await startNode(t, setups.dialer);
  const listener = await startNode(t, setups.listener);
  const listening = await listener.commands.listen('127.0.0.1', '0');
  assert.ok('port' in listening);
  const slot = slotOf({ starts_at_ms: dialer.tools.clock.now_ms() + 500, ...wanted });
  await Promise.all([
    performSlots(
      dialer.tools,
      [{ ...slot, role: 'dial', key: keys.dialer, peer_address: '127.0.0.1', peer_port: listening.port }],
      'rounds',
    ),
    performSlots(listener.tools, [{ ...slot, role: 'listen', key: keys.listener, is_source: false }], 'rounds'),
  ]);
  const [there, here] = [dialer.reports[0], listener.reports[0]];
  assert.ok(there?.kind === 'slot' && here?.kind === 'slot');
  return { there, here, a, b };
}

const key = (): string => randomBytes(32).toString('hex');

test('a planned slot is measured over RDMA, with two agents’ messages carried by the real runner', async (t) => {
  const one = key();
  const { there, here, a, b } = await perform(t, { dialer: one, listener: one }, {});
  assert.deepEqual([there.status, there.code, here.status, here.code], ['ok', null, 'ok', null]);
  assert.deepEqual([here.received?.gbps, there.received?.gbps], [392, 200]);
  assert.ok(there.rtt_us !== null && here.rtt_us === null);
  assertNothingRuns(a, b);
});

test('two ends with different keys do not start perftest', async (t) => {
  const { there, here, a, b } = await perform(t, { dialer: key(), listener: key() }, { slot_ms: 5000 });
  assert.notEqual(there.status, 'ok');
  assert.notEqual(here.status, 'ok');
  assert.deepEqual([...a.journal(), ...b.journal()], []);
});
