import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { Performance } from '../../contract/performance.ts';
import { worstOf } from '../../figures/reference-words.ts';
import { isBelowFloor } from '../../lifecycle/performance/compare.ts';
import { infoOf, nameMetrics } from '../facts/metrics.ts';
import { printCount, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { picture } from '../layout/picture.ts';
import { table } from '../layout/table.ts';

/**
 * Measured values beside the median of peers or what healthy cards reach, which is expected, or beside the data sheet's peak,
 * which no card reaches.
 */
export function expectationSection(paper: Paper, performance: Performance | null): void {
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
      basisWords(metric),
    ]),
  );
  for (const because of new Set(compared.flatMap(({ not_judged: why }) => why ?? [])))
    note(paper, `No verdict beside a peak: ${because}.`);
  comparedPicture(paper, compared);
  ownFleet(paper, performance);
}

/** The status in words: the worst ratio decides; a share of a data sheet's peak only says whether a card works. */
function standing({ status, metrics }: Performance): string {
  const worst = worstOf(metrics);
  const isPeak = metrics.some(({ basis }) => basis === 'spec');
  const sheet = isPeak
    ? " No card reaches the data sheet's peak, so a share of it gives no verdict: it is low only below what a working card reaches."
    : '';
  if (worst === null)
    return `No verdict: nothing but a data sheet to compare with${status === 'underperforming' ? ', and low beside it' : ''}.${sheet}`;
  const expected =
    'Expected is the median over other customers with the same model, each by its own median, or else what healthy cards of it reached.';
  return `Status: ${status}. The worst of ${printCount(worst.of, 'figure')} reaches ${printPercent(worst.ratio)} of expected: ${infoOf(worst.metric).label}. ${expected}${sheet}`;
}

/** Measured against peers or healthy cards in percent. The data sheet's peak is a limit: the distance from it is not a deviation. */
function comparedPicture(paper: Paper, compared: Performance['metrics']): void {
  const rows = compared.flatMap((one): Strip[] => {
    const { metric, ratio, basis } = one;
    if (ratio === null || (basis !== 'peers' && basis !== 'reference')) return [];
    const isLow = isBelowFloor(one);
    return [
      {
        label: paper.glyphs.printable(infoOf(metric).label),
        note: `${printPercent(ratio)} of ${basis === 'peers' ? 'its peers' : 'a healthy card'}`,
        marks: [{ at: ratio - 1, sign: isLow ? 'low' : '' }],
      },
    ];
  });
  if (rows.length === 0) return;
  const axis = 'percent from the expected value   (◆ low: further below it than healthy machines are)';
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

function basisWords({
  basis,
  sample_size: machines,
  customers,
  floor,
  ratio,
  reference,
}: Performance['metrics'][number]): string {
  if (basis === 'peers' && customers !== undefined)
    return `median of ${customers} customers with ${machines} machines of the same model`;
  // The stored comparison of an older job, which has no number of customers.
  if (basis === 'peers') return `median of ${machines} machines of the same model`;
  if (basis === 'none') return NO_EXPECTATION;
  if (basis === 'reference' && reference !== undefined)
    return `what ${reference.cards === 1 ? 'a healthy card' : `${reference.cards} healthy cards`} of the model reached (${reference.source})`;
  const isLow = ratio !== null && floor !== undefined && ratio < floor;
  const low = isLow ? `, low below ${(floor * 100).toFixed(0)} %` : '';
  return `the data sheet's peak, which gives no verdict${low}`;
}
