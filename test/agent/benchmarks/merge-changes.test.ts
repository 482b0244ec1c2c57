import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeChanges } from '../../../agent/benchmarks/merge-changes.ts';

test('the changes of the pieces of a run are those of one run: counts add up, states hold if they ever did, lists join', () => {
  const first = {
    hottest: 71,
    ecc_corrected_during_run: 3,
    pcie_replays_during_run: null,
    row_remaps_during_run: { correctable: 1, uncorrectable: 0, pending: true, failure: false },
    nvlink_errors_during_run: { replay: 2, ecc: null },
    nvlink_error_links: [
      { link: 2, replay: 2 },
      { link: 5, crc_flit: 1 },
    ],
    nvlink_lost_during_run: [4],
    throttle_seconds: { sw_power_cap: 1.5, sync_boost: null },
    health_problems: {
      pcie_replays_during_run: 'no permission',
      'nvlink_errors_during_run.ecc': 'not on this card',
      xid: 'x',
    },
  };
  const second = {
    ecc_corrected_during_run: 4,
    pcie_replays_during_run: 9,
    row_remaps_during_run: { correctable: 0, uncorrectable: 2, pending: false, failure: false },
    nvlink_errors_during_run: { replay: 5, ecc: null },
    nvlink_error_links: [{ link: 2, replay: 5, recovery: 1 }],
    nvlink_lost_during_run: [4, 7],
    throttle_seconds: { sw_power_cap: 0.25, sync_boost: 2 },
    health_problems: { 'nvlink_errors_during_run.ecc': 'not on this card' },
  };
  assert.deepEqual(mergeChanges([first, second]), {
    ecc_corrected_during_run: 7,
    pcie_replays_during_run: 9,
    row_remaps_during_run: { correctable: 1, uncorrectable: 2, pending: true, failure: false },
    nvlink_errors_during_run: { replay: 7, ecc: null },
    nvlink_error_links: [
      { link: 2, replay: 7, recovery: 1 },
      { link: 5, crc_flit: 1 },
    ],
    nvlink_lost_during_run: [4, 7],
    throttle_seconds: { sw_power_cap: 1.75, sync_boost: 2 },
    health_problems: { 'nvlink_errors_during_run.ecc': 'not on this card', xid: 'x' },
  });
});

test('what no piece tells stays null with its reason; records without these facts get none', () => {
  const lost = { throttle_seconds: null, health_problems: { throttle_seconds: 'the card is lost' } };
  assert.deepEqual(mergeChanges([lost, lost]), lost);
  assert.deepEqual(mergeChanges([{ throttle: ['sw_power_cap'] }, {}]), {});
});
