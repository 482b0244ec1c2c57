import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { doctor } from '../../../agent/cli/doctor-command.ts';
import type { RunContext } from '../../../agent/run/run-context.ts';
import type { RunEvent } from '../../../agent/run/run-event.ts';
import { measureSequence } from '../../../agent/session/measure-sequence.ts';
import type { PreparedMachine } from '../../../agent/setup/prepare-machine.ts';
import type { MachineInventory } from '../../../coordinator/contract/inventory.ts';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { eventsOf, exitCodeOf, hostWithRunner, jsonFlags } from '../support/run-harness.ts';
import { testHost, type TestHost } from '../support/test-host.ts';
import { type Content, folders, healthy, machineTree } from './support/machine-tree.ts';

const gpus = [
  { id: 'GPU-0', pci_id: '0000:19:00.0' },
  { id: 'GPU-1', pci_id: '0000:1a:00.0' },
];

/** A machine with two cards whose runner copies to each of them. */
function hostOf(t: TestContext, contents: Record<string, Content>): TestHost {
  const host = hostWithRunner(t, { gpus });
  host.system_root = machineTree(t, { ...healthy, ...contents }).root;
  return host;
}

const measured = z.object({
  type: z.literal('measurement'),
  results: z.object({ quick_mark: quickMarkResults }),
});

/** `signal of` -> the row that the run's result has. */
async function signalsOfRun(host: TestHost) {
  await exitCodeOf(host, null);
  const event = measured.parse(eventsOf(host).find(({ type }) => type === 'measurement'));
  return new Map(
    (event.results.quick_mark.node_signals ?? []).map((row) => [`${row.signal} ${row.of ?? ''}`.trim(), row]),
  );
}

test('a result has the signals of its machine, with the links of the cards as they were while they copied', async (t) => {
  const fallen = '4,900,9000000000,-;NVRM: Xid (PCI:0000:1a:00): 79, pid=1, name=x, GPU has fallen off the bus.\n';
  const fast = { [`${folders.gpu}/current_link_speed`]: '16.0 GT/s PCIe\n' };
  const rows = await signalsOfRun(
    hostOf(t, { ...fast, 'dev/kmsg': fallen, [`${folders.ib}/counters/link_downed`]: '3\n' }),
  );
  assert.deepEqual(rows.get('kernel_xid 0000:1a:00.0'), {
    signal: 'kernel_xid',
    of: '0000:1a:00.0',
    value: 79,
    during_run: 0,
    seconds_ago: 1000,
  });
  assert.deepEqual(rows.get('ib_link_downed mlx5_0/1'), {
    signal: 'ib_link_downed',
    of: 'mlx5_0/1',
    value: 3,
    during_run: 0,
  });
  assert.equal(rows.get('pcie_generation 0000:19:00.0')?.value, 4);
});

test('on a machine that hides everything the result has its figures, and each signal says why it is missing', async (t) => {
  const host = hostWithRunner(t, { gpus });
  host.system_root = machineTree(t, { 'proc/hidden': '' }).root;
  const rows = await signalsOfRun(host);
  assert.match(rows.get('kernel_xid')?.not_read ?? '', /not in this container/);
  assert.equal(rows.get('aer_fatal 0000:19:00.0')?.not_read, 'there is no such file');
  assert.ok([...rows.values()].every(({ value, not_read }) => value !== null || (not_read ?? '') !== ''));
});

test('a port whose link is lost while the links between nodes are measured is a warning, once', async (t) => {
  const tree = machineTree(t, healthy);
  const emitted: RunEvent[] = [];
  const record = { warnings: [] as string[], judged: [] };
  const context = {
    emit: (event: RunEvent) => void emitted.push(event),
    host: testHost(t),
    record,
    stop: { by: null },
  };
  let downs = 0;
  const lose = async (): Promise<void> => tree.put(`${folders.ib}/counters/link_downed`, `${(downs += 1)}\n`);
  const network = { benchmark_id: 'cluster_network', config: null };
  await measureSequence(
    context as unknown as RunContext,
    { files: tree.files } as PreparedMachine,
    {} as MachineInventory,
    [network, network],
    () => undefined,
    lose,
  );
  assert.equal(downs, 2);
  assert.deepEqual(record.warnings.length, 1);
  assert.match(record.warnings[0] ?? '', /mlx5_0\/1.*link went down during the run: 1 .*check the cable/);
  assert.deepEqual(
    emitted.map((event) => (event.type === 'notice' ? event.message : event.type)),
    record.warnings,
  );
});

test('doctor says how many signals of health can be read, and why not the others', async (t) => {
  const found = async (contents: Record<string, Content>): Promise<string> => {
    const host = hostOf(t, contents);
    await doctor(host, jsonFlags);
    const check = eventsOf(host).find(({ name }) => name === 'health signals');
    return `${String(check?.['state'])}: ${String(check?.['found'])}`;
  };
  assert.match(await found({}), /^ok: (\d+) of \1 signals of this machine can be read$/);
  const hidden = await found({
    'dev/kmsg': null,
    [`${folders.port}/config`]: Buffer.alloc(64),
    'proc/sys/kernel/tainted': '?\n',
  });
  assert.match(hidden, /^note: \d+ of \d+ signals of this machine can be read; not read: /);
  assert.match(hidden, /kernel_xid, kernel_sxid, kernel_pcie_aer: \/dev\/kmsg is not in this container/);
  assert.match(hidden, /acs_redirect: only root may read/);
  assert.match(hidden, /kernel_taint: it says '\?'/);
});
