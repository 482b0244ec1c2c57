import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchNode } from '../../../agent/health/watch-node.ts';
import { type Content, folders, healthy, machineTree, productData, twoCards } from './support/machine-tree.ts';
import { clock, differences, rowsOf } from './support/run-of-node.ts';

const { gpu, downstream, ib, net } = folders;
const aer = (total: string, count: number): string => `RxErr ${count}\nBadTLP 0\n${total} ${count}\n`;
const level = (value: unknown) => ({ value });

/** What happens during the run, and the rows that say so. */
const changes: [string, Record<string, Content>, Record<string, unknown>][] = [
  [
    'PCIe errors',
    { [`${gpu}/aer_dev_correctable`]: aer('TOTAL_ERR_COR', 31) },
    { 'aer_correctable 0000:19:00.0': { value: 0, during_run: 31 } },
  ],
  [
    'a link that goes down and comes up',
    { [`${ib}/counters/link_downed`]: '1\n', [`${net}/carrier_changes`]: '4\n' },
    { 'ib_link_downed mlx5_0/1': { value: 0, during_run: 1 }, 'net_carrier_changes eth0': { value: 2, during_run: 2 } },
  ],
  [
    'a port that goes down and stays',
    { [`${ib}/state`]: '1: DOWN\n', [`${ib}/phys_state`]: '2: Polling\n', [`${ib}/rate`]: '10 Gb/sec (4X SDR)\n' },
    {
      'ib_port_state mlx5_0/1': level('DOWN'),
      'ib_port_physical_state mlx5_0/1': level('Polling'),
      'ib_port_rate_gbps mlx5_0/1': { value: null, not_read: 'the port is DOWN; before the run: 400' },
      'ib_port_lanes mlx5_0/1': { value: null, not_read: 'the port is DOWN; before the run: 4' },
    },
  ],
  [
    'a counter that is set back',
    { [`${net}/carrier_changes`]: '0\n' },
    { 'net_carrier_changes eth0': { value: 0, during_run: null } },
  ],
  [
    'a manager that dies',
    { 'proc/4711/comm': null, 'usr/bin/nv-fabricmanager': '' },
    { nvidia_fabricmanager: level('not running') },
  ],
];
for (const [name, change, expected] of changes)
  test(`${name} during the run: the change is told`, async (t) => {
    assert.deepEqual(await differences(t, {}, change), expected);
  });

test('what was there before the run and is not after it is not read, with what it was', async (t) => {
  const gone = 'it was there before the run and is gone after it';
  const rows = await differences(t, {}, { [net]: null, [`${ib}/counters/symbol_error`]: null });
  assert.deepEqual(rows['net_carrier_changes eth0'], { value: null, not_read: `${gone}; before the run: 2` });
  assert.deepEqual(rows['net_speed_mbps eth0'], { value: null, not_read: `${gone}; before the run: 400000` });
  assert.deepEqual(rows['ib_symbol_error mlx5_0/1'], {
    value: null,
    not_read: 'there is no such file; before the run: 0',
  });
});

test('a card that falls off the bus during the run has no signals left, and none looks healthy', async (t) => {
  const rows = await differences(t, {}, { 'sys/bus/pci/devices/0000:19:00.0': null });
  const values = Object.entries(rows).map(([name, row]) => `${name} ${row?.value}`);
  const names = ['aer_correctable', 'aer_nonfatal', 'aer_fatal', 'gpu_numa_node', 'pinned_to_numa_node'];
  // Its link was seen under load before that; the port above it is still there.
  assert.deepEqual(values.toSorted(), names.map((name) => `${name} 0000:19:00.0 null`).toSorted());
});

test('a link counts as it is under load, and an older card in a newer slot is healthy', async (t) => {
  const old = { [`${gpu}/max_link_speed`]: '16.0 GT/s PCIe\n' };
  const busy = {
    [`${gpu}/current_link_speed`]: '16.0 GT/s PCIe\n',
    [`${downstream}/current_link_speed`]: '16.0 GT/s PCIe\n',
  };
  const four = { value: 4 };
  assert.deepEqual(await differences(t, old, {}, busy), {
    'pcie_generation 0000:19:00.0': four,
    'pcie_generation_max 0000:19:00.0': four,
    'pcie_generation 0000:17:00.0': four,
    'pcie_generation_max 0000:17:00.0': four,
  });
});

test('a link that was not seen under load is not judged by its idle speed', async (t) => {
  const tree = machineTree(t, healthy);
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  const rows = rowsOf(await watch.end());
  assert.deepEqual(rows['pcie_generation 0000:19:00.0'], {
    value: null,
    not_read: 'not seen under load; 1 when idle, which may be slowed down',
  });
  assert.equal(rows['pcie_generation_max 0000:19:00.0']?.value, 5);
});

test('the rate of a port is compared with what its card is built for, by the name that the card carries', async (t) => {
  const vpd = (name: string) => ({ [`${folders.adapter}/vpd`]: productData(name) });
  const most = async (name: string) => (await differences(t, vpd(name)))['ib_port_rate_max_gbps mlx5_0/1'];
  assert.deepEqual(await most('ConnectX-6 VPI adapter card, HDR IB (200Gb/s) and 200GbE, single-port QSFP56'), {
    value: 200,
  });
  assert.deepEqual(await most('NVIDIA ConnectX-7 Ethernet adapter card, 100 GbE , Dual-port QSFP112'), { value: 100 });
  assert.match(String((await most('Nvidia ConnectX-7 4-chip VPI PCIe Gen5 Mezz Controller'))?.not_read), /no rate/);
});

test('one card has no peers: redirection and translation are left out', async (t) => {
  const tree = machineTree(t, healthy);
  const watch = await watchNode({ files: tree.files, devices: twoCards.slice(0, 1), clock });
  const names = new Set((await watch.end()).map(({ signal }) => signal));
  assert.ok(names.has('aer_fatal') && !names.has('acs_redirect') && !names.has('iommu_mode'));
});

test('without a card only ports and settings of the machine are read', async (t) => {
  const watch = await watchNode({ files: machineTree(t, healthy).files, devices: [], clock });
  const names = new Set((await watch.end()).map(({ signal }) => signal));
  assert.ok(
    names.has('ib_port_state') && names.has('cpu_governor') && !names.has('aer_fatal') && !names.has('gpu_numa_node'),
  );
});
