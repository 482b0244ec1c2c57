import type { NodeSignal } from '../../coordinator/contract/health.ts';
import { kernelSignals } from './kernel-events.ts';
import { keyOf, type Reading } from './reading.ts';
import type { NodeReading } from './read-node.ts';

/** Of the contract. */
const SIGNALS_MAX = 2000;

/**
 * The signals of a run: levels as they are after it, counters as they were before it with how far they advanced, links as they
 * were under load.
 * @param loaded readings of links while their cards worked, by `keyOf`
 */
export function compareReadings(
  before: NodeReading,
  loaded: ReadonlyMap<string, Reading>,
  after: NodeReading,
): NodeSignal[] {
  const [first, second] = [byKey(before.readings), byKey(after.readings)];
  const keys = [...new Set([...first.keys(), ...second.keys()])];
  const signals = [
    ...kernelSignals(before.log, after.log, before.uptime, before.makers),
    ...keys.flatMap((key): NodeSignal[] => {
      const [earlier, later] = [first.get(key), second.get(key)];
      const now = later ?? gone(earlier, after.broken_off);
      return now === undefined ? [] : [signalOf(earlier, now, loaded.get(key))];
    }),
  ];
  const left = signals.length - SIGNALS_MAX;
  if (left <= 0) return signals;
  const words = `${left + 1} further signals are left out`;
  return [...signals.slice(0, SIGNALS_MAX - 1), { signal: 'node_signals', value: null, not_read: words }];
}

/** The signals of a node that is read once, outside a run. */
export const signalsOf = (node: NodeReading): NodeSignal[] => [
  ...kernelSignals(node.log, null, node.uptime, node.makers),
  ...node.readings.map(plain),
];

const byKey = (readings: readonly Reading[]): Map<string, Reading> =>
  new Map(readings.map((reading) => [keyOf(reading), reading]));

/** Of what was there before: a card that falls off the bus takes its files with it. */
function gone(earlier: Reading | undefined, brokenOff: string | null): Reading | undefined {
  if (earlier === undefined) return undefined;
  return { ...earlier, value: null, not_read: brokenOff ?? 'it was there before the run and is gone after it' };
}

function signalOf(earlier: Reading | undefined, later: Reading, loaded: Reading | undefined): NodeSignal {
  if (later.kind === 'under_load') return linkSignal(later, loaded);
  if (later.value === null) return lost(earlier, later);
  if (later.kind === 'level') return plain(later);
  // A counter that was full, that appeared during the run, or that was set back by a reset, has no change.
  const [from, to] = [earlier?.full === true ? null : (earlier?.value ?? null), later.value];
  const advanced = typeof from === 'number' && typeof to === 'number' && to >= from ? to - from : null;
  return { ...plain(later), value: advanced === null ? to : from, during_run: advanced };
}

/** Not readable after the run: what it was before it does not count any more, but is told. */
function lost(earlier: Reading | undefined, later: Reading): NodeSignal {
  const was = earlier?.value ?? null;
  return was === null
    ? plain(later)
    : { ...plain(later), not_read: `${later.not_read}; before the run: ${was}`.slice(0, 200) };
}

/** The higher one of under load and after the run, which is at most as high unless the link was read between two copies. */
function linkSignal(later: Reading, loaded: Reading | undefined): NodeSignal {
  const [now, worked] = [later.value, loaded?.value];
  if (typeof worked === 'number') {
    return plain({ ...later, value: Math.max(worked, Number(now ?? 0)), not_read: undefined });
  }
  if (now === null) return plain(later);
  return { ...plain(later), value: null, not_read: `not seen under load; ${now} when idle, which may be slowed down` };
}

const plain = ({ signal, of, value, not_read }: Reading): NodeSignal => ({
  signal,
  ...(of === undefined ? {} : { of }),
  value,
  ...(not_read === undefined ? {} : { not_read }),
});
