import type { Probed } from '../inventory/probe.ts';
import { cardAddresses, isIntegrated, shortAddress } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import type { Host } from '../run/host.ts';
import { eventOf, type Makers } from './kernel-events.ts';
import { readKernelLog, type KernelLog } from './kernel-log.ts';
import { hasNvswitch, machineSignals } from './machine-signals.ts';
import { numaSignals } from './numa-signals.ts';
import { linesOf, pciSignals } from './pci-signals.ts';
import { infinibandSignals, networkSignals } from './port-signals.ts';
import type { Reading } from './reading.ts';

/** All signals of the node at one time. */
export interface NodeReading {
  readings: Reading[];
  log: Probed<KernelLog>;
  makers: Makers;
  /** Seconds since the machine was started. */
  uptime: number | null;
  /** Why things may be missing that the machine has; null: it was read to its end. */
  broken_off: string | null;
}

/** What is read of the node besides its files. */
export interface Node {
  files: SystemFiles;
  devices: readonly Pick<DeviceEvent, 'vendor' | 'pci_id'>[];
  clock: Pick<Host['clock'], 'elapsed'>;
}

/** A healthy node takes 20 to 100 ms; a driver that does not answer must not hold up a run for longer. */
const READING_MS = 2_000;
const TOO_LONG = `not read within ${READING_MS / 1000} s, as long as a machine is asked`;

/**
 * Reads the node once. Nothing fails: what cannot be read says why.
 * @param lines of the cards, as they were found before the run
 */
export async function readNode(
  { files, devices, clock }: Node,
  lines = linesOf(files, cardsOf(devices)),
): Promise<NodeReading> {
  const start = clock.elapsed();
  const isOver = (): boolean => clock.elapsed() - start > READING_MS;
  const limited = files.until(() => (isOver() ? TOO_LONG : null));
  const makers = makersOf(limited, devices);
  const links = [
    ...limited.names('sys/class/net').map((name) => `sys/class/net/${name}/device`),
    ...limited.names('sys/class/infiniband').map((name) => `sys/class/infiniband/${name}/device`),
  ];
  const readings = [
    ...pciSignals(limited, lines),
    ...infinibandSignals(limited),
    ...networkSignals(limited),
    ...numaSignals(limited, cardsOf(devices), links.slice(0, LINKS_MAX)),
    ...machineSignals(limited, makers),
  ];
  const uptime = Number.parseFloat(limited.text('proc/uptime') ?? '');
  const log = await readKernelLog(limited, (text) => eventOf(text) !== null);
  return {
    readings,
    log,
    makers,
    uptime: Number.isFinite(uptime) ? uptime : null,
    broken_off: isOver() ? TOO_LONG : null,
  };
}

const LINKS_MAX = 128;

/** Addresses of the cards; the instances of a partitioned card have one in common. */
export const cardsOf = (devices: Node['devices']): string[] => [
  ...new Set(devices.flatMap(({ pci_id }) => (pci_id === null ? [] : [shortAddress(pci_id)]))),
];

function makersOf(files: SystemFiles, devices: Node['devices']): Makers {
  const makers = new Set<'nvidia' | 'nvswitch' | 'amd'>();
  for (const maker of ['nvidia', 'amd'] as const)
    if (
      devices.some(({ vendor }) => vendor === maker) ||
      cardAddresses(files, maker).some((card) => !isIntegrated(files, card))
    )
      makers.add(maker);
  if (hasNvswitch(files)) makers.add('nvswitch');
  return makers;
}
