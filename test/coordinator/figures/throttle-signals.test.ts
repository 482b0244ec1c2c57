import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHealth } from '../../../coordinator/figures/node-health.ts';
import { placedFindings } from '../../../coordinator/figures/tell-health.ts';
import { nodeWith } from './ill-node.ts';

/** Rules and evidence of a card that was held back so. */
const heldBack = (card: Record<string, unknown>): string[] =>
  placedFindings(withHealth(nodeWith([{ card }]))).map(
    ({ finding: { rule, severity, evidence } }) => `${rule} ${severity}: ${evidence}`,
  );

test('a slowdown counts by its share of the run: a moment is a remark, a hundredth a warning, six tenths by the hardware critical', () => {
  const stretch = (reason: string, points: number) => ({
    'readings.throttled': [{ first: 0, last: points - 1, reasons: [reason] }],
  });
  const heat = 'the driver slowed the card down';
  assert.deepEqual(heldBack({ 'run.throttle_seconds.sw_thermal': 0.5 }), [
    `hot_for_a_moment info: ${heat} for heat: 1 % of the run`,
  ]);
  assert.deepEqual(heldBack({ 'run.throttle_seconds.sw_thermal': 0.51 }), [
    `hot_software_slowdown warning: ${heat} because it was too hot: 1.02 % of the run, limit 1 %`,
  ]);
  // 2 and 3 of 250 readings.
  assert.deepEqual(heldBack(stretch('hw_slowdown', 2)), [
    'slowed_for_a_moment info: the hardware slowed the card down: 0.8 % of the run',
  ]);
  assert.deepEqual(heldBack(stretch('hw_slowdown', 3)), [
    'hardware_slowdown warning: the hardware slowed the card down, for heat or power: 1.2 % of the run, limit 1 %',
  ]);
  assert.deepEqual(heldBack(stretch('power_brake', 150)), [
    'power_brake warning: the server braked the card (power brake), its supply was short: 60 % of the run',
  ]);
  assert.deepEqual(heldBack(stretch('power_brake', 151)), [
    'slowed_most_of_run critical: the hardware slowed the card down: power brake by the server, 60.4 % of the run',
  ]);
  // Seen by the driver, too short for its counter.
  assert.deepEqual(heldBack({ 'run.throttle': ['hw_thermal'] }), [
    'hot_hardware_slowdown warning: the hardware slowed the card down because it was too hot: under 0.1 % of the run',
  ]);
  // An agent that tells no times.
  assert.deepEqual(heldBack({ 'run.throttle': ['hw_slowdown'], 'run.throttle_seconds': null, readings: null }), [
    'hardware_slowdown warning: the hardware slowed the card down, for heat or power: for how long is not known, limit 1 %',
  ]);
  // Power cap and limit of current for the whole run.
  assert.deepEqual(heldBack({ ...stretch('sw_power_cap', 250), 'run.throttle_seconds.sw_power_cap': 50 }), []);
});
