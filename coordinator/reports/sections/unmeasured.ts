import type { Unmeasured } from '../../contract/judgement.ts';
import { placeWords, type PlaceNames } from '../../figures/findings/finding-words.ts';
import { metricNames } from '../../figures/metric-names.ts';
import { printCount } from '../facts/print-number.ts';
import { heading, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

export const NOT_MEASURED = 'Not measured';

/** What, where and why, as one sentence: "fp8 (GPU 0): processors have no fp8 arithmetic". */
export const unmeasuredWords = (one: Unmeasured, names: PlaceNames): string =>
  `${what(one, FEW)} (${placeWords(one, names)}): ${one.because}`;

/** Signals named in one line; more are counted. */
const FEW = 2;

const what = ({ figures, signals }: Unmeasured, most = Number.POSITIVE_INFINITY): string => {
  const named = signals.length > most ? printCount(signals.length, 'signal') + ' of health' : signals.join(', ');
  return (
    [figures.length > 0 ? metricNames(figures) : '', named].filter((part) => part !== '').join('; ') || 'something'
  );
};

/** Everything that has no value, by its reason. Nobody has to act on it, and it is never taken for good. */
export function unmeasuredSection(paper: Paper, list: readonly Unmeasured[], names: PlaceNames): void {
  if (list.length === 0 || !heading(paper, NOT_MEASURED, 60)) return;
  paragraph(paper, 'Neither good nor bad: these figures and signals have no value, each for the reason beside it.');
  table(
    paper,
    [
      { title: 'What', share: 42, maxLines: 40 },
      { title: 'Where', share: 20, maxLines: 8 },
      { title: 'Why', share: 44, maxLines: 20 },
    ],
    list.map((one) => [what(one), placeWords(one, names), one.because]),
  );
}
