import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { Performance } from '../../contract/performance.ts';
import { healthyRange, meansByBasis, rangeWords } from '../../figures/sheet-words.ts';
import { isBelowFloor } from '../../lifecycle/performance/compare.ts';
import { infoOf, nameMetrics } from '../facts/metrics.ts';
import { printCount, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { picture } from '../layout/picture.ts';
import { table } from '../layout/table.ts';

/**
 * Measured values beside the median of peers, which is expected, or beside the data sheet's peak, which no card reaches.
 * @param model of all GPUs; null if they differ
 */
export function expectationSection(paper: Paper, performance: Performance | null, model: string | null): void {
  if (!heading(paper, 'Comparison with peers and the data sheet', 60)) return;
  for (const text of performance?.notes ?? []) note(paper, `${nameMetrics(text)}.`);
  const compared = performance?.metrics.filter(({ basis }) => basis !== 'none') ?? [];
  if (!performance || compared.length === 0) {
    paragraph(
      paper,
      `${NO_EXPECTATION}: too few machines of this kind were measured, and no band of its maker is known.`,
    );
    ownFleet(paper, performance);
    return;
  }
  paragraph(paper, standing(performance));
  table(
    paper,
    [
      { title: 'Figure', share: 26 },
      { title: 'Measured', share: 11, align: 'right' },
      { title: 'Beside', share: 11, align: 'right' },
      { title: 'Unit', share: 9 },
      { title: 'Ratio', share: 9, align: 'right' },
      { title: 'Percentile', share: 10, align: 'right' },
      { title: 'Which is', share: 27 },
    ],
    performance.metrics.map((metric) => [
      infoOf(metric.metric).label,
      printNumber(metric.value),
      printNumber(metric.expected),
      infoOf(metric.metric).unit,
      printPercent(metric.ratio),
      metric.percentile === null ? '–' : metric.percentile.toFixed(0),
      basisWords(metric, model),
    ]),
  );
  comparedPicture(paper, compared);
  ownFleet(paper, performance);
}

/** The status in words: of the ratios to peers, and of the shares of the sheet, which only say whether a card works. */
function standing({ status, metrics }: Performance): string {
  const { peers, spec } = meansByBasis(metrics);
  const expected = 'Expected is the median over other customers with the same model, each by its own median.';
  const sheet =
    spec === null
      ? ''
      : ` ${printPercent(spec.mean)} of the data sheet's peak (${printCount(spec.n, 'figure')}): a share of it, since no card reaches it, and low only below what a working card reaches.`;
  if (peers === null) return `No peers yet${status === 'underperforming' ? ', and low' : ''}.${sheet}`;
  return `Status: ${status}, ${printPercent(peers.mean)} of expected (${printCount(peers.n, 'figure')}). ${expected}${sheet}`;
}

/** Measured against peers in percent. The data sheet's peak is a limit: the distance from it is not a deviation. */
function comparedPicture(paper: Paper, compared: Performance['metrics']): void {
  const rows = compared.flatMap((one): Strip[] => {
    const { metric, ratio, basis } = one;
    if (ratio === null || basis !== 'peers') return [];
    const isLow = isBelowFloor(one);
    return [
      {
        label: paper.glyphs.printable(infoOf(metric).label),
        note: `${printPercent(ratio)} of its peers`,
        marks: [{ at: ratio - 1, sign: isLow ? 'low' : '' }],
      },
    ];
  });
  if (rows.length === 0) return;
  const axis = 'percent from the expected value   (◆ low: further below its peers than healthy machines are)';
  picture(paper, strips(rows, { width: chartWidths.paper, axis }));
}

/** In a table of its own, since it is not an expectation: a fleet can be slow as a whole. */
function ownFleet(paper: Paper, performance: Performance | null): void {
  const rows = performance?.own_fleet ?? [];
  if (rows.length === 0) return;
  paragraph(
    paper,
    "Beside the customer's own other machines of this model, which have no part in the expected values:",
  );
  table(
    paper,
    [
      { title: 'Figure', share: 40 },
      { title: 'Own machines', share: 18, align: 'right' },
      { title: 'Their median', share: 18, align: 'right' },
      { title: 'Unit', share: 12 },
      { title: 'Ratio', share: 12, align: 'right' },
    ],
    rows.map(({ metric, machines, median, ratio }) => [
      infoOf(metric).label,
      String(machines),
      printNumber(median),
      infoOf(metric).unit,
      printPercent(ratio),
    ]),
  );
}

export const NO_EXPECTATION = 'No expectation exists for this model yet';

function basisWords(
  { basis, metric, sample_size: machines, customers, floor, ratio }: Performance['metrics'][number],
  model: string | null,
): string {
  if (basis === 'peers' && customers !== undefined)
    return `median of ${customers} customers with ${machines} machines of the same model`;
  // The stored comparison of an older job, which has no number of customers.
  if (basis === 'peers') return `median of ${machines} machines of the same model`;
  if (basis === 'none') return NO_EXPECTATION;
  const range = model === null ? null : healthyRange(model, metric);
  const isLow = ratio !== null && floor !== undefined && ratio < floor;
  const low = isLow ? `, low below ${(floor * 100).toFixed(0)} %` : '';
  return `the data sheet's peak${range === null ? '' : `; ${rangeWords(range)}`}${low}`;
}
