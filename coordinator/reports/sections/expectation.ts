import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { Performance } from '../../contract/performance.ts';
import { nameMetrics } from '../facts/check-findings.ts';
import { isBelowFloor } from '../../lifecycle/performance/compare.ts';
import { infoOf } from '../facts/metrics.ts';
import { printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { picture } from '../layout/picture.ts';
import { table } from '../layout/table.ts';

/** Measured and expected values, and where each expectation comes from. */
export function expectationSection(paper: Paper, performance: Performance | null): void {
  if (!heading(paper, 'Comparison with expected values', 60)) return;
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
  const score = performance.score === null ? '' : `, score ${printNumber(performance.score)}`;
  paragraph(
    paper,
    `Status: ${performance.status}${score}. Expected is the median over other customers with the same model, each by its own median, or its maker's figure.`,
  );
  table(
    paper,
    [
      { title: 'Figure', share: 26 },
      { title: 'Measured', share: 11, align: 'right' },
      { title: 'Expected', share: 11, align: 'right' },
      { title: 'Unit', share: 9 },
      { title: 'Ratio', share: 9, align: 'right' },
      { title: 'Percentile', share: 10, align: 'right' },
      { title: 'Where the expectation comes from', share: 27 },
    ],
    performance.metrics.map((metric) => [
      infoOf(metric.metric).label,
      printNumber(metric.value),
      printNumber(metric.expected),
      infoOf(metric.metric).unit,
      printPercent(metric.ratio),
      metric.percentile === null ? '–' : metric.percentile.toFixed(0),
      basisWords(metric),
    ]),
  );
  comparedPicture(paper, compared);
  ownFleet(paper, performance);
}

/** Measured against expected in percent. A maker's figure is a theoretical peak, so values below it are not marked low. */
function comparedPicture(paper: Paper, compared: Performance['metrics']): void {
  const rows = compared.flatMap((one): Strip[] => {
    const { metric, ratio, basis } = one;
    if (ratio === null) return [];
    const isLow = basis === 'peers' && isBelowFloor(one);
    return [
      {
        label: paper.glyphs.printable(infoOf(metric).label),
        note: `${printPercent(ratio)} of ${basis === 'peers' ? 'its peers' : "its maker's figure"}`,
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

function basisWords({ basis, sample_size: machines, customers }: Performance['metrics'][number]): string {
  if (basis === 'peers' && customers !== undefined)
    return `median of ${customers} customers with ${machines} machines of the same model`;
  // The stored comparison of an older job, which has no number of customers.
  if (basis === 'peers') return `median of ${machines} machines of the same model`;
  return basis === 'spec' ? "its maker's specification" : NO_EXPECTATION;
}
