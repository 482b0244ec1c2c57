import type { Computed } from '../facts/computed.ts';
import type { Figure } from '../facts/devices.ts';
import { printNumber } from '../facts/print-number.ts';
import { note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

export interface Product {
  figure: Figure;
  how: Computed;
}

const MEANING =
  'Load: sustained after 1.6 s of the same product over at least 1.2 s; settled after two minutes of it; brief is neither, and not compared ' +
  'with other runs. Burst: the first quarter of a second after a rest, which others print; never the headline. ' +
  "First proposal: the library's first proposal where the headline is the best of its trials, for comparison with programs that take the " +
  'first. First and last quarter: of the series that gave the figure; more than 2 % apart it had not settled, and the figure stands. ' +
  'Watts: mean and 95th percentile while this product ran.';

/** How matrix products were measured: the library's first proposal, drift over the series, power. Left out if not recorded. */
export function matrixMeasuring(paper: Paper, products: readonly Product[]): void {
  const known = products.filter(
    ({ how }) => how.load !== null || how.heuristic_first_tflops !== null || how.drift !== null || how.power !== null,
  );
  if (known.length === 0) return;
  table(
    paper,
    [
      { title: 'How it was measured', share: 23 },
      { title: 'Load', share: 12 },
      { title: 'Burst', share: 14, align: 'right' },
      { title: 'First proposal', share: 11, align: 'right' },
      { title: 'First quarter', share: 11, align: 'right' },
      { title: 'Last quarter', share: 11, align: 'right' },
      { title: 'Settled', share: 9 },
      { title: 'Mean W', share: 9, align: 'right' },
      { title: '95 % W', share: 9, align: 'right' },
      { title: 'J per TFLOP', share: 11, align: 'right' },
      { title: 'J per product', share: 12, align: 'right' },
    ],
    known.map(({ figure, how }) => [
      figure.info.label,
      how.load ?? '–',
      how.burst === null ? '–' : `${printNumber(how.burst.tflops)}, n ${how.burst.n}`,
      printNumber(how.heuristic_first_tflops),
      printNumber(how.drift?.first_quarter_tflops),
      printNumber(how.drift?.last_quarter_tflops),
      how.settled === null ? '–' : how.settled ? 'yes' : 'no',
      printNumber(how.power?.average_watts),
      printNumber(how.power?.p95_watts),
      printNumber(how.power?.joules_per_tflop),
      printNumber(how.power?.joules_per_product),
    ]),
  );
  note(paper, MEANING);
}
