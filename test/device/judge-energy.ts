import { median } from '../../coordinator/figures/statistics.ts';
import { overRounds } from './judge-figures.ts';
import { check, type JudgedRow } from './judged-row.ts';
import type { Turn } from './measure-rounds.ts';
import { readFigure } from './read-figure.ts';

const tolerance = 0.05;

/**
 * Energy by the device's counter against power integrated over the same time. Judged where the two differ most. A device
 * without a counter has nothing to compare.
 */
export function judgeEnergy(deviceId: string, turns: readonly Turn[]): JudgedRow {
  const readings = turns.map((turn) =>
    readFigure(
      { id: 'energy_wh', label: 'energy', unit: 'Wh', metric: 'energy_consumption_wh' },
      turn.run.results.filter((result) => result.device_id === deviceId),
    ),
  );
  const detail = (name: string): (number | null)[] =>
    readings.map((reading) => {
      const value = reading.value === null ? null : reading.result.details[name];
      return typeof value === 'number' ? value : null;
    });
  const counted = detail('counter_wh');
  const integrated = detail('integrated_wh');
  const ratios = detail('ratio').filter((ratio) => ratio !== null);
  const missing = readings.find((reading) => reading.value === null);
  const reason = missing?.value === null ? missing.reason : null;
  const worst = ratios.toSorted((a, b) => Math.abs(b - 1) - Math.abs(a - 1))[0] ?? null;
  const why = reason ?? 'the device has no energy counter that can be compared with its power';
  return {
    ...overRounds(counted.some((value) => value !== null) ? counted : readings.map((reading) => reading.value)),
    id: 'energy_wh',
    label: 'energy',
    unit: 'Wh',
    reason,
    n: null,
    cv_worst: null,
    peer: { name: 'power integrated over the run', median: overRounds(integrated).median, rounds: integrated, reason },
    ratio: ratios.length === 0 ? null : median(ratios),
    checks: [
      check(
        'counter over integrated power, every round',
        worst,
        { at_least: 1 - tolerance, at_most: 1 + tolerance },
        why,
        reason === null ? 'no peer' : 'MISSED',
      ),
    ],
  };
}
