import type { TestContext } from 'node:test';
import { watchNode } from '../../../../agent/health/watch-node.ts';
import type { RunnerEvent } from '../../../../agent/kernels/runner-events.ts';
import { nodeSignals, type NodeSignal } from '../../../../coordinator/contract/health.ts';
import { type Content, folders, healthy, type MachineTree, machineTree, twoCards } from './machine-tree.ts';

export const clock = { elapsed: () => 0 };

/** The first sample of the copies between a card and its host. */
const copying = (device_id: string): RunnerEvent => ({
  schema: 'gpumark.native/1',
  t_ms: 1,
  event: 'sample',
  device_id,
  benchmark: 'link',
  metric: 'host_to_device_bandwidth_gbs',
  value: 55,
  unit: 'GB/s',
  index: 0,
});

const FAST = '32.0 GT/s PCIe\n';
const links = [folders.gpu, folders.otherGpu, folders.downstream, folders.downstream.replace('17:00.0', '17:01.0')];

/** The signals of a run: the links of the cards are fast while these copy, then `change` happens. */
export async function signalsOfRun(
  tree: MachineTree,
  change: Record<string, Content> = {},
  busy: Record<string, Content> = {},
) {
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  for (const folder of links) tree.put(`${folder}/current_link_speed`, FAST);
  for (const [path, content] of Object.entries(busy)) tree.put(path, content);
  for (const { device_id } of twoCards) watch.onEvent(copying(device_id));
  for (const folder of links) tree.put(`${folder}/current_link_speed`, '2.5 GT/s PCIe\n');
  for (const [path, content] of Object.entries(change)) tree.put(path, content);
  return nodeSignals.parse(await watch.end());
}

/** `signal of: value` -> the rest of the row. */
export const rowsOf = (signals: readonly NodeSignal[]): Record<string, Omit<NodeSignal, 'signal' | 'of'>> =>
  Object.fromEntries(signals.map(({ signal, of, ...rest }) => [of === undefined ? signal : `${signal} ${of}`, rest]));

/** Rows that differ from those of the healthy machine. */
export async function differences(
  t: TestContext,
  before: Record<string, Content>,
  change: Record<string, Content> = {},
  busy: Record<string, Content> = {},
) {
  const usual = rowsOf(await signalsOfRun(machineTree(t, healthy)));
  const found = rowsOf(await signalsOfRun(machineTree(t, { ...healthy, ...before }), change, busy));
  const names = [...new Set([...Object.keys(usual), ...Object.keys(found)])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(found[name]) !== JSON.stringify(usual[name]))
      .map((name) => [name, found[name]]),
  );
}
