import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readNode } from '../../../agent/health/read-node.ts';
import { signalsOf } from '../../../agent/health/compare-readings.ts';
import type { NodeSignal } from '../../../coordinator/contract/health.ts';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { deviceSignals } from '../../../coordinator/figures/device-signals.ts';
import { equalitySignals } from '../../../coordinator/figures/equality-signals.ts';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { nodeSignalsOf } from '../../../coordinator/figures/node-signals.ts';
import { factsOf, type Signal, type SignalledCard } from '../../../coordinator/figures/signal-facts.ts';
import { nodeWith } from '../../coordinator/figures/ill-node.ts';
import { healthy, machineTree, twoCards } from './support/machine-tree.ts';
import { clock } from './support/run-of-node.ts';

/** What is read and judged by no rule, with the reason. */
const unjudgedOfMachine: Record<string, string> = {
  gpu_numa_node: 'no node is wrong in itself; whether the process may run on it is judged (pinned_to_numa_node)',
  nic_numa_node: 'no node is wrong in itself, and which cards a port serves is not known',
  gpu_driver_version: 'no version is wrong in itself; cards and nodes that differ are judged by their own',
};
const CHANGES_ARE = 'since an unknown time; how far it changed during the run is judged';
const unjudgedOfCard: Record<'nvidia' | 'amd', Record<string, string>> = {
  nvidia: {
    'device.backend': 'which runner it was',
    'device.ecc_errors.corrected': CHANGES_ARE,
    'device.ecc_errors_volatile.corrected': CHANGES_ARE,
    'device.row_remaps.correctable': 'repaired, and NVIDIA counts the uncorrectable ones alone',
    'device.nvlink_supported': 'a model is known by its name; which links lead somewhere, the driver does not tell',
    'device.clocks_max.memory_mhz': 'memory always runs at its highest clock under load',
    'device.gsp_firmware.version': 'no version is wrong in itself',
    'run.throttle_seconds.sw_power_cap': 'reaching the power cap is normal under load',
    'run.throttle_seconds.sync_boost': 'whether it was seen at all is judged',
    'run.throttle_seconds.board_limit': 'NVIDIA does not say what is normal of it',
    'run.nvlink_error_links': 'the sums are judged; these only say of which links',
  },
  amd: {
    'device.backend': 'which runner it was',
    'run.ecc_corrected_during_run': 'of the memory alone; the RAS counters have all blocks',
    'run.ecc_uncorrected_during_run': 'of the memory alone; the RAS counters have all blocks',
    'device.ras.corrected': CHANGES_ARE,
    'device.ras.deferred': CHANGES_ARE,
    'device.clocks_max.sm_mhz': 'the highest of a table, which the limit by overdrive need not be',
    'device.clocks_max.memory_mhz': 'the highest of a table, which the limit by overdrive need not be',
    'device.application_clocks.sm_mhz': 'limit by overdrive, which differs from the table on healthy cards',
    'device.application_clocks.memory_mhz': 'limit by overdrive, which differs from the table on healthy cards',
    'device.application_clocks.default_sm_mhz': 'limit by overdrive, which differs from the table on healthy cards',
    'device.application_clocks.default_memory_mhz': 'limit by overdrive, which differs from the table on healthy cards',
    'run.throttle_seconds.sw_power_cap': 'reaching the power cap is normal under load',
  },
};

const ruled = new Set(healthRules.map(({ signal }) => signal));
/** What rules read of it, and nothing else. */
const judged = (signals: readonly Signal[]): string =>
  JSON.stringify(signals.filter(({ signal }) => ruled.has(signal)).map(({ not_read: _why, ...read }) => read));

async function signalsOfMachine(t: TestContext, vendor: 'nvidia' | 'amd'): Promise<NodeSignal[]> {
  const { files } = machineTree(t, healthy);
  const devices = twoCards.map((card) => ({ ...card, vendor }));
  return signalsOf(await readNode({ files, devices, clock }));
}

const cardsOf = ({ test_results }: QuickMarkResults): SignalledCard[] =>
  test_results.map((one) => ({
    device_id: one.gpu_id,
    name: one.gpu_model,
    vendor: one.vendor,
    isPart: false,
    details: (metric) => factsOf(one.details[metric]),
  }));

test('every signal that the agent reads of a machine is judged by a rule, or stands in a short list with the reason why not', async (t) => {
  const read = new Set<string>();
  const known = new Set<string>();
  // The second without cards that say that their fabric is ready.
  for (const [vendor, on] of [
    ['nvidia', 'virtual'],
    ['amd', 'instinct'],
  ] as const) {
    const rows = await signalsOfMachine(t, vendor);
    const gpus = cardsOf(nodeWith([{ on }]));
    const judgedOf = (told: readonly NodeSignal[]): string => {
      const { ofCards, ofNode } = nodeSignalsOf(gpus, told);
      return judged([...ofNode, ...[...ofCards.values()].flat()]);
    };
    for (const name of new Set(rows.map(({ signal }) => signal))) {
      known.add(name);
      // Rows of a card that is measured, as well as rows of the machine.
      const placed = rows.map((row) => (row.of === '0000:19:00.0' ? { ...row, of: '0000:18:00.0' } : row));
      if (judgedOf(placed) !== judgedOf(placed.filter(({ signal }) => signal !== name))) read.add(name);
    }
  }
  assert.deepEqual([...known].filter((name) => !read.has(name)).toSorted(), Object.keys(unjudgedOfMachine).toSorted());
  assert.ok(known.size > 40, `${known.size} signals`);
  for (const name of ['kernel_amdgpu_ras', 'kernel_amdgpu_reset', 'net_speed_mbps', 'memory_limit_bytes'])
    assert.ok(known.has(name), name);
});

/** Paths of the facts, down to those that hold no others. */
const leaves = (facts: object, path: string): string[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    isRecord(value) ? leaves(value, `${path}.${name}`) : [`${path}.${name}`],
  );

const isRecord = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The same facts, which say which of them are read. */
const watched = (facts: object, path: string, reads: Set<string>): Record<string, unknown> =>
  new Proxy(facts as Record<string, unknown>, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (isRecord(value)) return watched(value, `${path}.${String(name)}`, reads);
      reads.add(`${path}.${String(name)}`);
      return value;
    },
  });

const newerCounters = ['recovery_failed', 'receive', 'integrity', 'overrun', 'malformed', 'discards'];

for (const [vendor, on] of [
  ['nvidia', 'hgx'],
  ['amd', 'instinct'],
] as const)
  test(`every fact of ${vendor} cards and of their run is judged by a rule, or stands in a short list with the reason why not`, () => {
    const counters = newerCounters.map((kind) => [`run.nvlink_errors_during_run.${kind}`, 0] as const);
    const node = nodeWith([{ on, cards: vendor === 'nvidia' ? Object.fromEntries(counters) : {} }]);
    const reads = new Set<string>();
    const cards = cardsOf(node).map((card): SignalledCard => ({
      ...card,
      details: (metric) =>
        metric === 'device' || metric === 'temperature_centigrade'
          ? watched(card.details(metric), metric === 'device' ? 'device' : 'run', reads)
          : card.details(metric),
    }));
    const signals = [...cards.flatMap((card) => deviceSignals(card, cards.length)), ...equalitySignals(cards)];
    // What is made of the facts is judged, all of it.
    assert.deepEqual(
      signals.filter(({ signal }) => !ruled.has(signal)),
      [],
    );
    const { device, temperature_centigrade: run } = node.test_results[0]?.details ?? {};
    const paths = [...leaves(factsOf(device), 'device'), ...leaves(factsOf(run), 'run')];
    assert.ok(paths.length > 20, paths.join());
    const known = { ...unjudgedOfCard[vendor], 'device.pci_id': 'where the card is' };
    assert.deepEqual(paths.filter((path) => !reads.has(path)).toSorted(), Object.keys(known).toSorted());
  });
