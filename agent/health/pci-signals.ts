import type { Probed } from '../inventory/probe.ts';
import { pcieGeneration, pcieWidth } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { bridgesAbove, PCI, redirectsPeers } from './pci-device.ts';
import { converted, counter, countOf, level, notRead, read, reading, type Reading } from './reading.ts';

/** Nodes have up to 16 cards, with a port and a share of a switch above each. */
const CARDS_MAX = 100;
const DEVICES_MAX = 96;

/** The totals of three files (Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats). */
const ERRORS = [
  ['aer_correctable', 'aer_dev_correctable', /^TOTAL_ERR_COR (\d+)$/m],
  ['aer_nonfatal', 'aer_dev_nonfatal', /^TOTAL_ERR_NONFATAL (\d+)$/m],
  ['aer_fatal', 'aer_dev_fatal', /^TOTAL_ERR_FATAL (\d+)$/m],
] as const;

/** A card and the bridges above it, the nearest first. */
type Line = readonly string[];

/** Found once for a run: a card that falls off the bus takes the way to its bridges with it. */
export function linesOf(files: SystemFiles, cards: readonly string[]): Line[] {
  return cards.slice(0, CARDS_MAX).map((card) => [card, ...(bridgesAbove(files, card).value ?? [])]);
}

/**
 * Of each card and of the ports above it: errors and links. Of several cards also what keeps copies between them from the short
 * way: redirection by the bridges, and translation by the IOMMU.
 */
export function pciSignals(files: SystemFiles, lines: readonly Line[]): Reading[] {
  const devices = new Set(lines.flat());
  const left = devices.size - DEVICES_MAX;
  return [
    ...[...devices].slice(0, DEVICES_MAX).flatMap((device) => errorSignals(files, device)),
    ...(left > 0
      ? [level('aer_fatal', null, notRead(`${left} further devices are left out, after ${DEVICES_MAX}`))]
      : []),
    ...linkSignals(files, lines),
    ...(lines.length < 2 ? [] : peerSignals(files, lines)),
  ];
}

/** The links of the cards, and those above the switches: cheap, and read again while the cards work. */
export function linkSignals(files: SystemFiles, lines: readonly Line[]): Reading[] {
  const links = new Map<string, Reading[]>();
  for (const line of lines) {
    // A card and the port above it have a link in common; between the two ports of a switch there is none.
    for (let place = 0; place < line.length; place += 2) {
      const ends = line.slice(place, place + 2);
      for (const end of ends) links.set(end, ofLink(files, end, ends));
    }
  }
  return [...links.values()].slice(0, DEVICES_MAX).flat();
}

const errorSignals = (files: SystemFiles, device: string): Reading[] =>
  ERRORS.map(([signal, file, total]) => {
    const text = files.read(`${PCI}/${device}/${file}`);
    return counter(
      signal,
      device,
      converted(text, (lines) => countOf(total.exec(lines)?.[1] ?? '')),
    );
  });

/** The most is what both ends can: an older card in a newer slot is as fast as it gets. */
function ofLink(files: SystemFiles, device: string, ends: readonly string[]): Reading[] {
  const read = (name: string, of: string): Probed<number> =>
    converted(files.read(`${PCI}/${of}/${name}`), (text) =>
      name.endsWith('_speed') ? pcieGeneration(Number.parseFloat(text)) : pcieWidth(Number(text)),
    );
  const most = (name: string): Probed<number> => least(ends.map((end) => read(name, end)));
  return [
    reading('under_load', 'pcie_generation', device, read('current_link_speed', device)),
    reading('under_load', 'pcie_width', device, read('current_link_width', device)),
    level('pcie_generation_max', device, most('max_link_speed')),
    level('pcie_width_max', device, most('max_link_width')),
  ];
}

/** Of those that can be read. */
function least(values: readonly Probed<number>[]): Probed<number> {
  const known = values.flatMap(({ value }) => value ?? []);
  return known.length > 0 ? read(Math.min(...known)) : notRead(values[0]?.reason ?? 'unknown');
}

function peerSignals(files: SystemFiles, lines: readonly Line[]): Reading[] {
  const bridges = new Set(lines.flatMap(([, ...above]) => above));
  return [
    ...[...bridges].slice(0, DEVICES_MAX).map((bridge) => level('acs_redirect', bridge, redirectsPeers(files, bridge))),
    level(
      'iommu_mode',
      null,
      iommuMode(
        files,
        lines.flatMap(([card]) => card ?? []),
      ),
    ),
  ];
}

/** Worst first: with a translated card every copy to it takes the way through the IOMMU. */
const MODES = ['translated', 'unknown', 'passthrough', 'off'] as const;
type Mode = (typeof MODES)[number];

/**
 * How the IOMMU treats the cards' own accesses to memory: by the type of their groups
 * (Documentation/ABI/testing/sysfs-kernel-iommu_groups), on kernels before 5.11 by the command line.
 */
function iommuMode(files: SystemFiles, cards: readonly string[]): Probed<Mode> {
  const modes = new Set(
    cards.map((card): Mode => {
      if (!files.names(`${PCI}/${card}`).includes('iommu_group')) return 'off';
      const { value: type } = files.read(`${PCI}/${card}/iommu_group/type`);
      if (type === 'identity') return 'passthrough';
      if (type === 'DMA' || type === 'DMA-FQ') return 'translated';
      return type === null && /\b(?:iommu=pt|iommu\.passthrough=1)\b/.test(files.text('proc/cmdline') ?? '')
        ? 'passthrough'
        : 'unknown';
    }),
  );
  return read(MODES.find((mode) => modes.has(mode)) ?? 'unknown');
}
