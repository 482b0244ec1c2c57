import type { NodeSignal } from '../contract/health.ts';
import { linksOf } from './link-signals.ts';
import type { Signal, SignalledCard } from './signal-facts.ts';
import { healthRules } from './health-rules.ts';

interface PlacedSignals {
  /** device id -> what the machine says of it */
  ofCards: Map<string, Signal[]>;
  ofNode: Signal[];
}

const PCIE_LINK = new Set(['pcie_lanes_missing', 'pcie_generations_missing']);

/** The machine's signals as the rules read them, each with the card that it is about or with the machine. */
export function nodeSignalsOf(gpus: readonly SignalledCard[], told: readonly NodeSignal[] | null): PlacedSignals {
  if (told === null) return { ofCards: new Map(), ofNode: notReported(gpus.length > 0) };
  const byAddress = new Map(gpus.flatMap((card) => addressOf(card).map((address) => [address, card.device_id])));
  const ofCards = new Map<string, Signal[]>();
  const ofNode: Signal[] = [];
  for (const row of told) {
    for (const signal of readAs(row, told, gpus)) {
      const id = signal.of === undefined ? undefined : byAddress.get(shortAddress(signal.of));
      // Of a bridge's link both ends are listed, and one of them may be the card's own.
      if (id === undefined && PCIE_LINK.has(signal.signal)) continue;
      if (id === undefined) ofNode.push(signal);
      else ofCards.set(id, [...(ofCards.get(id) ?? []), signal]);
    }
  }
  return { ofCards, ofNode };
}

/** Signals of the machine that rules need, for agents that send none of them. */
function notReported(hasGpus: boolean): Signal[] {
  const names = new Set(healthRules.filter(({ scope }) => scope === 'node').map(({ signal }) => signal));
  const not_read = 'the agent of this run does not read the machine';
  return hasGpus
    ? [...names].filter((name) => !name.startsWith('cards_differ')).map((signal) => ({ signal, value: null, not_read }))
    : [];
}

const addressOf = ({ details }: SignalledCard): string[] => {
  const { pci_id: address } = details('device');
  return typeof address === 'string' && address !== '' ? [shortAddress(address)] : [];
};

/** Without the domain where it is 0 and without the function: drivers, kernel and libraries write it in several forms. */
const shortAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^pci:/, '')
    .replace(/^0+:(?=[0-9a-f]+:)/, '')
    .replace(/\.[0-7]$/, '');

/** The wire's signals whose meaning depends on another one, or on the cards of the node. */
function readAs(row: NodeSignal, all: readonly NodeSignal[], gpus: readonly SignalledCard[]): Signal[] {
  const { signal, of, value } = row;
  const beside = (name: string): NodeSignal | undefined =>
    all.find((other) => other.signal === name && other.of === of);
  switch (signal) {
    case 'kernel_xid':
      return [{ ...row, signal: 'xid' }];
    case 'ib_port_rate_gbps':
      return [shareOf(row, beside('ib_port_rate_max_gbps'), 'ib_port_rate_share')];
    case 'net_speed_mbps':
      return [shareOf(row, beside('net_speed_max_mbps'), 'net_speed_share')];
    case 'ib_port_state':
    case 'ib_port_physical_state':
      return [typeof value === 'string' ? { ...row, value: value.replace(/^\d+:\s*/, '') } : row];
    case 'pcie_width':
    case 'pcie_generation': {
      const name = signal === 'pcie_width' ? 'pcie_lanes_missing' : 'pcie_generations_missing';
      const most = beside(`${signal}_max`)?.value;
      if (typeof value !== 'number' || typeof most !== 'number') return [];
      return [{ ...row, signal: name, value: Math.max(0, most - value), told: `${value} of ${most}` }];
    }
    case 'nvidia_fabricmanager':
      return needsFabricManager(gpus) ? [{ ...row, signal: 'fabric_manager' }] : [];
    case 'cpu_governor':
      return [typeof value === 'string' ? { ...row, value: savingGovernor(value), told: value } : row];
    case 'memory_limit_bytes':
      // The processor's figures say themselves whether the limit left them less than they want.
      return gpus.length === 0 ? [] : [memoryPerCard(row, gpus.length)];
    case 'acs_redirect':
    case 'iommu_mode':
      // Without a peer there are no copies between cards.
      return gpus.length > 1 ? [row] : [];
    case 'kernel_taint':
      return [
        { ...row, signal: 'kernel_taint_machine_check', value: typeof value === 'string' ? value.includes('M') : null },
        { ...row, signal: 'kernel_taint_oops', value: typeof value === 'string' ? value.includes('D') : null },
      ];
    default:
      return [row];
  }
}

/** How fast a port runs, of what its card can do. */
function shareOf(row: NodeSignal, most: NodeSignal | undefined, signal: string): Signal {
  const [now, best] = [row.value, most?.value];
  if (typeof now === 'number' && typeof best === 'number' && best > 0)
    return {
      ...row,
      signal,
      value: now / best,
      told: `${now} of ${best} ${signal.startsWith('ib') ? 'Gb/s' : 'Mb/s'}`,
    };
  const not_read = row.not_read ?? most?.not_read ?? 'the rate that the port can do is unknown';
  return { ...row, signal, value: null, not_read };
}

/** Of processors that differ, as in `performance (100), powersave (28)`, the one that saves the most. */
function savingGovernor(words: string): string {
  const names = new Set(words.split(', ').map((name) => name.replace(/ \(\d+\)$/, '')));
  return ['powersave', 'conservative', 'userspace'].find((name) => names.has(name)) ?? words;
}

function memoryPerCard(row: NodeSignal, cards: number): Signal {
  const signal = 'memory_limit_per_card_gib';
  if (row.value === 'none') return { signal, value: 'none' };
  if (typeof row.value !== 'number')
    return { signal, value: null, not_read: row.not_read ?? 'the agent gave no reason' };
  const gib = Number((row.value / 2 ** 30).toPrecision(3));
  return {
    signal,
    value: row.value / 2 ** 30 / cards,
    told: `${gib} GiB for ${cards} ${cards === 1 ? 'card' : 'cards'}`,
  };
}

/** Cards behind switches, of which none says that its fabric is ready. */
function needsFabricManager(gpus: readonly SignalledCard[]): boolean {
  const linked = gpus.filter(({ name }) => linksOf(name) !== null);
  const isReady = linked.some(({ details }) => {
    const fabric: unknown = details('device')['fabric'];
    return fabric !== null && typeof fabric === 'object' && 'state' in fabric && fabric.state === 'completed';
  });
  return linked.length > 1 && !isReady;
}
