import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { withHealth } from '../../../coordinator/figures/node-health.ts';
import { placedFindings } from '../../../coordinator/figures/tell-health.ts';
import { root } from '../../support/source-files.ts';

const folder = join(root, 'native/results');
const events = z.object({
  rounds: z.array(
    z.object({
      turns: z.array(
        z.object({
          run: z.object({
            devices: z.array(
              z.looseObject({
                device_id: z.string(),
                name: z.string(),
                vendor: z.string(),
                backend: z.string(),
                pci_id: z.string(),
                attributes: z.record(z.string(), z.unknown()),
              }),
            ),
            results: z.array(z.looseObject({ metric: z.string(), details: z.record(z.string(), z.unknown()) })),
          }),
        }),
      ),
    }),
  ),
});

/** What an agent would upload of one run of a real card. */
function uploadOf(
  { devices, results }: z.infer<typeof events>['rounds'][number]['turns'][number]['run'],
  change: object = {},
  run: object = {},
): QuickMarkResults {
  const [device] = devices;
  const records = Object.fromEntries(results.map(({ metric, details }) => [metric, details]));
  const { attributes, backend, pci_id, name, vendor, device_id } = device ?? assert.fail('no device');
  const details = {
    ...records,
    temperature_centigrade: { ...records['temperature_centigrade'], ...run },
    device: { backend, pci_id, ...attributes, ...change },
  };
  return {
    test_results: [{ gpu_id: device_id, gpu_model: name, vendor, details }],
    aggregate_results: {},
  } as unknown as QuickMarkResults;
}

const runs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const file = events.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return file.rounds.flatMap(({ turns }) => turns.map(({ run }) => ({ name, run })));
  });

test('no run of a real, healthy card has a finding', () => {
  assert.ok(runs.length >= 6, `${runs.length} runs`);
  for (const { name, run } of runs) assert.deepEqual(placedFindings(withHealth(uploadOf(run))), [], name);
});

test('a real card\u2019s facts with one fault in them are found ill, with the severity and action of its rule', () => {
  const [first] = runs;
  const one = first ?? assert.fail('no run');
  const told = (change: object, run: object = {}) =>
    placedFindings(withHealth(uploadOf(one.run, change, run))).map(({ finding: { rule, severity, action } }) => [
      rule,
      severity,
      action,
    ]);
  const remaps = { correctable: 0, uncorrectable: 0, pending: false, failure: false };
  assert.deepEqual(told({ row_remaps: { ...remaps, failure: true } }), [['row_remap_failed', 'critical', 'return']]);
  assert.deepEqual(told({ row_remaps: { ...remaps, pending: true } }), [['row_remap_pending', 'warning', 'reset']]);
  assert.deepEqual(told({ ecc_mode: 'disabled' }), [['ecc_off', 'warning', 'reset']]);
  assert.deepEqual(told({}, { ecc_corrected_during_run: 4000 }), [
    ['many_corrected_errors_during_run', 'warning', 'drain'],
  ]);
  assert.deepEqual(told({}, { pcie_replays_during_run: 100_000 }), [
    ['pcie_replays_during_run', 'warning', 'check_cabling'],
  ]);
  assert.deepEqual(told({}, { throttle: ['application_clocks'] }), [['clocks_held', 'warning', 'none']]);
  assert.deepEqual(told({ power_cap_watts: 400 }), [['power_cap_lowered', 'warning', 'none']]);
  assert.deepEqual(told({ nvlink_active: 9 }), [['nvlinks_inactive', 'critical', 'reset']]);
});
