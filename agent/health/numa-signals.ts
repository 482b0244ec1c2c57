import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { PCI, pciAddressOf } from './pci-device.ts';
import { converted, level, notRead, read, type Reading } from './reading.ts';

const NODES = 'sys/devices/system/node';

/**
 * The NUMA node of each card and network card, and, on a machine with several, whether this process may run on the processors
 * of a card's node: the runner stays on those (native/src/gpu/gpu-session.cpp), unless a cgroup or an affinity excludes them.
 * @param links `device` links of the network's devices in /sys/class
 */
export function numaSignals(files: SystemFiles, cards: readonly string[], links: readonly string[]): Reading[] {
  const adapters = new Set(links.flatMap((link) => pciAddressOf(files, link).value ?? []));
  const isSeveral =
    rangesOf(files.text(`${NODES}/has_cpu`) ?? '').reduce((sum, [first, last]) => sum + last - first + 1, 0) > 1;
  return [
    ...cards.map((card) => level('gpu_numa_node', card, numaNode(files, card))),
    ...(isSeveral ? cards.map((card) => level('pinned_to_numa_node', card, isPinned(files, card))) : []),
    ...[...adapters].map((adapter) => level('nic_numa_node', adapter, numaNode(files, adapter))),
  ];
}

/** -1: the firmware does not say. */
function numaNode(files: SystemFiles, address: string): Probed<number> {
  const node = files.read(`${PCI}/${address}/numa_node`);
  return node.value === '-1' ? notRead('the firmware does not say (-1)') : converted(node, nodeOf);
}

const nodeOf = (text: string): number | null => (/^\d{1,4}$/.test(text) ? Number(text) : null);

function isPinned(files: SystemFiles, card: string): Probed<boolean> {
  const node = numaNode(files, card);
  if (node.value === null) return node;
  const allowed = /^Cpus_allowed_list:\s*([\d,-]{1,4000})$/m.exec(files.text('proc/self/status') ?? '')?.[1];
  const processors = files.read(`${NODES}/node${node.value}/cpulist`);
  if (allowed === undefined) return notRead('/proc/self/status has no Cpus_allowed_list');
  if (processors.value === null) return processors;
  const own = rangesOf(allowed);
  return read(
    rangesOf(processors.value).some(([first, last]) => own.some(([from, to]) => from <= last && first <= to)),
  );
}

/** `0-31,64-95`: first and last of each range. */
const rangesOf = (list: string): [first: number, last: number][] =>
  list.split(',').flatMap((range): [number, number][] => {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range.trim()) ?? [];
    return first === undefined ? [] : [[Number(first), Number(last)]];
  });
