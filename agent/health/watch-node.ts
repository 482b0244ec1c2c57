import type { NodeSignal } from '../../coordinator/contract/health.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import { compareReadings } from './compare-readings.ts';
import { linesOf, linkSignals } from './pci-signals.ts';
import { keyOf, type Reading } from './reading.ts';
import { cardsOf, readNode, type Node } from './read-node.ts';

/** The signals of a node over one run. */
export interface NodeWatch {
  /** To be called with every event of the runner: while a card copies, its links are read once. */
  onEvent: (event: RunnerEvent) => void;
  /** Reads the node again. */
  end: () => Promise<NodeSignal[]>;
}

/** The benchmark that copies over the link between a card and its host. */
const LINK_BENCHMARK = 'link';

interface WatchedNode extends Node {
  devices: readonly Pick<DeviceEvent, 'device_id' | 'vendor' | 'pci_id'>[];
}

/** Reads the node before a run, and again at the end of it. Nothing is read in between but the links of the cards. */
export async function watchNode(node: WatchedNode): Promise<NodeWatch> {
  const lines = linesOf(node.files, cardsOf(node.devices));
  const before = await readNode(node, lines);
  const loaded = new Map<string, Reading>();
  const seen = new Set<string>();
  return {
    onEvent: (event) => {
      if (event.event !== 'sample' || event.benchmark !== LINK_BENCHMARK || seen.has(event.device_id)) return;
      seen.add(event.device_id);
      const cards = cardsOf(node.devices.filter(({ device_id }) => device_id === event.device_id));
      for (const link of linkSignals(
        node.files,
        lines.filter(([card = '']) => cards.includes(card)),
      )) {
        const known = loaded.get(keyOf(link))?.value ?? 0;
        // Cards below one switch have its link in common, and are loaded one after the other.
        if (typeof link.value === 'number' && link.value > Number(known)) loaded.set(keyOf(link), link);
      }
    },
    end: async () => compareReadings(before, loaded, await readNode(node, lines)),
  };
}
