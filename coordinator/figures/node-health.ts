import type { HealthFinding, NodeSignal } from '../contract/health.ts';
import type { QuickMarkResults, QuickMarkTestResult } from '../contract/quick-mark.ts';
import { deviceSignals } from './device-signals.ts';
import { factsOf, type Signal, type SignalledCard } from './signal-facts.ts';
import { equalitySignals, jobEqualitySignals, type VersionedNode } from './equality-signals.ts';
import { isPart, plainName } from './gpu-peaks.ts';
import { type Health, judgeHealth } from './judge-health.ts';
import { nodeSignalsOf } from './node-signals.ts';

/** Health of each card, in their order, and of the machine beside them. */
export interface NodeHealth {
  devices: Health[];
  node: Health;
}

/**
 * Judges the cards of a node and the node itself. Signals of the machine that name a card's PCI address are that card's; those
 * of a card that was not measured, as one that fell off the bus, stay with the machine.
 * @param told the machine's signals; null from agents that do not read them
 */
export function healthOfNode(cards: readonly SignalledCard[], told: readonly NodeSignal[] | null): NodeHealth {
  const gpus = cards.filter(({ vendor }) => vendor !== 'cpu');
  const models = Map.groupBy(gpus, ({ name }) => plainName(name));
  const { ofCards, ofNode } = nodeSignalsOf(gpus, told);
  const devices = cards.map((card): Health => {
    if (card.vendor === 'cpu') return { findings: [], notRead: [] };
    const own = deviceSignals(card, models.get(plainName(card.name))?.length ?? 1);
    const signals = withMachine(own, ofCards.get(card.device_id) ?? []);
    return judgeHealth(signals, { vendor: card.vendor, name: plainName(card.name) });
  });
  const ids = new Set(devices.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  const node = judgeHealth([...ofNode, ...equalitySignals(gpus)], { vendor: null, name: '' }, ids);
  return { devices, node };
}

/**
 * The machine fills in what the runner could not read. An Xid that the driver told during the run and that the kernel logged is one
 * event.
 */
function withMachine(own: readonly Signal[], machine: readonly Signal[]): Signal[] {
  const told = new Map(machine.map((signal) => [keyOf(signal), signal]));
  const filled = new Set(machine.flatMap(({ signal, value }) => (value === null ? [] : [signal])));
  const kept = own
    .filter(({ signal, value, during_run }) => value !== null || during_run != null || !filled.has(signal))
    .map((signal) => {
      const ago = told.get(keyOf(signal))?.seconds_ago;
      return ago === undefined ? signal : { ...signal, seconds_ago: ago };
    });
  const known = new Set(kept.map(keyOf));
  return [...kept, ...machine.filter((signal) => !known.has(keyOf(signal)))];
}

const keyOf = ({ signal, value }: Signal): string => (signal === 'xid' ? `xid ${String(value)}` : signal);

/** What is not alike between the nodes of a job. */
export const jobHealth = (nodes: readonly VersionedNode[]): HealthFinding[] =>
  judgeHealth(jobEqualitySignals(nodes), { vendor: null, name: '' }).findings;

/**
 * Results with what the rules find in their facts. What they claim about their health is dropped: agent and coordinator both judge
 * the facts, so that a claim changes nothing.
 */
export function withHealth(results: QuickMarkResults): QuickMarkResults {
  const { node_health: _findings, node_health_not_read: _unread, ...told } = results;
  const { devices, node } = healthOfNode(told.test_results.map(cardOf), told.node_signals ?? null);
  const test_results = told.test_results.map((device, index) => {
    const { health: _claimed, health_not_read: _missing, ...facts } = device;
    const { findings: health, notRead: health_not_read } = devices[index] ?? node;
    return device.vendor === 'cpu' ? facts : { ...facts, health, health_not_read };
  });
  const hasMachine = told.node_signals !== undefined || told.test_results.some(({ vendor }) => vendor !== 'cpu');
  return {
    ...told,
    test_results,
    ...(hasMachine ? { node_health: node.findings, node_health_not_read: node.notRead } : {}),
  };
}

/**
 * The same of stored results: of an earlier agent or coordinator they have no findings yet. Those of a large result are stored
 * without the facts, and what was found on arrival stands.
 */
export const healthOfStored = (results: QuickMarkResults): QuickMarkResults =>
  results.test_results.every(({ details }) => factsOf(details['device'])['backend'] === undefined)
    ? results
    : withHealth(results);

const cardOf = (device: QuickMarkTestResult): SignalledCard => ({
  device_id: device.gpu_id,
  name: device.gpu_model,
  vendor: device.vendor,
  isPart: isPart({ device_id: device.gpu_id, attributes: factsOf(device.details['device']) }),
  details: (metric) => factsOf(device.details[metric]),
});
