// The facts of health that the runner tells are those that the rules are tested with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../coordinator/figures/signal-facts.ts';
import { nodeWith } from '../coordinator/figures/ill-node.ts';
import { type Facts, listed, recorded } from './card-facts.ts';
import type { Machine } from './simulated-gpus.ts';

/** What a card is and how it was measured, not how it is. */
const INVENTORY =
  /^(uuid|serial|driver_library|rocm_version|partition|cards_at_work|cuda_version|architecture|sm_count|sm_kind|l2_bytes|compute_.*|workgroup_processors|images?|clock_mhz_max|memory_.*|integrated|numa_node|mig|telemetry.*|nvml_.*|temperature_.*|persistence_mode|processes|held_by|health_.*|nvlink|pcie\.(generation|width)_current|source|swings)$/;

const leaves = (facts: Facts, path = ''): string[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? leaves(value as Facts, `${path}${name}.`)
      : [`${path}${name}`],
  );

const machines: [string, 'hgx' | 'instinct', Machine][] = [
  ['Ampere', 'hgx', { drivers: ['nvidia'], sim: { DEVICES: '8', ARCH: 'sm_80' } }],
  ['Hopper', 'hgx', { drivers: ['nvidia'], sim: { DEVICES: '8' } }],
  ['Blackwell', 'hgx', { drivers: ['nvidia'], sim: { DEVICES: '8', ARCH: 'sm_100' } }],
  ['ROCm SMI', 'instinct', { drivers: ['amd'] }],
  ['AMD SMI', 'instinct', { drivers: ['amd-without-smi', 'amd-smi-27'] }],
];
const newer = ['recovery_failed', 'receive', 'integrity', 'overrun', 'malformed', 'discards'];

for (const [words, on, machine] of machines)
  test(`${words}: no fact of health is told that the rules are not tested with`, async () => {
    const [first] = nodeWith([{ on }]).test_results;
    const { device, temperature_centigrade: run } = first?.details ?? {};
    const known = [
      ...leaves(factsOf(device)),
      ...leaves(factsOf(run)),
      ...newer.map((kind) => `nvlink_errors_during_run.${kind}`),
    ];
    const [card] = await listed(machine);
    const [record] = await recorded(machine);
    const told = [...leaves(card ?? {}), ...leaves(record ?? {})];
    assert.ok(told.length > 30, told.join());
    // A fact that could not be read stands for all of its members.
    const isKnown = (path: string): boolean => known.some((one) => one === path || one.startsWith(`${path}.`));
    assert.deepEqual(
      told.filter((path) => !INVENTORY.test(path.replace(/^health_problems\..*/, 'health_problems')) && !isKnown(path)),
      [],
    );
  });
