import type { Performance } from '../../contract/performance.ts';
import { isBelowFloor } from '../../lifecycle/performance/compare.ts';
import type { Finding } from './finding.ts';
import { infoOf } from './metrics.ts';
import { printPercent } from './print-number.ts';

/** The figures that make a machine or a job low, each with what it is compared with. */
export function lowFigures(subject: 'job' | 'machine', performance: Performance | null | undefined): Finding[] {
  if (performance?.status !== 'underperforming') return [];
  // Stored comparisons of earlier releases have no floor, and a share of the sheet is not low for being below that of peers.
  const known = performance.metrics.filter(({ basis, floor }) => basis === 'peers' || floor !== undefined);
  const low = known.filter(isBelowFloor).map(({ metric, ratio, basis, floor }) => {
    const of =
      basis === 'peers'
        ? 'what others of its model reach'
        : basis === 'reference'
          ? 'what a healthy card of its model reaches'
          : "its data sheet's peak";
    const limit = floor === undefined ? '' : ` (low below ${printPercent(floor)})`;
    return `${infoOf(metric).label} ${printPercent(ratio)} of ${of}${limit}`;
  });
  return [
    {
      level: 'warning',
      text: `The ${subject} is low${low.length === 0 ? '' : `: ${low.join('; ')}`}; see the comparison.`,
    },
  ];
}
