import type { Judgement } from '../../contract/judgement.ts';
import type { PlaceNames } from '../../figures/findings/finding-words.ts';
import { printCount } from '../facts/print-number.ts';
import type { Paper, TextStyle } from '../layout/paper.ts';
import { contentWidth, ink, sheet, size } from '../layout/theme.ts';
import { ANNEX } from './annex.ts';
import { NOT_MEASURED, unmeasuredWords } from './unmeasured.ts';

export interface Footed {
  judgement: Judgement;
  names: PlaceNames;
  /** what has no result at all, each as a sentence */
  absent: string[];
  /** SHA-256 of the results; null without any */
  hash: string | null;
}

/** Reasons of missing figures on this page; all stand in their section. */
const REASONS_SHOWN = 3;

interface Foot {
  unmeasured: string[];
  height: number;
}

const SIGN_HEIGHT = 26;

/** What stands at the foot of the first page, laid out before the rest gets what it leaves. */
export function footLines(paper: Paper, { judgement, names, absent }: Footed): Foot {
  const list = [
    ...absent,
    ...judgement.not_measured
      .toSorted((a, b) => b.figures.length - a.figures.length)
      .map((one) => unmeasuredWords(one, names)),
  ];
  const shown = list.slice(0, REASONS_SHOWN);
  const more = list.length - shown.length;
  const unmeasured = [...shown, ...(more > 0 ? [`${printCount(more, 'more reason')} in “${NOT_MEASURED}”`] : [])];
  const lines = unmeasured.length === 0 ? 1 : unmeasured.length;
  return { unmeasured, height: (lines + 2) * paper.lineHeight(small) + SIGN_HEIGHT + 22 };
}

const small: TextStyle = { size: size.small, maxLines: 1 };

/** What was not measured, where the limits stand, criteria, hash, and lines to sign. */
export function drawFoot(paper: Paper, { hash }: Footed, { unmeasured }: Foot): void {
  paper.rule(paper.y);
  paper.y += 4;
  const step = paper.lineHeight(small);
  const lines = unmeasured.length === 0 ? ['everything planned was measured'] : unmeasured;
  paper.write('Not measured', sheet.left, paper.y, 70, { ...small, font: 'bold' });
  for (const line of lines) {
    paper.write(line, sheet.left + 72, paper.y, contentWidth - 72, small);
    paper.y += step;
  }
  paper.write('Limits', sheet.left, paper.y, 70, { ...small, font: 'bold' });
  const at = paper.y;
  paper.atEnd(() => {
    const start = paper.starts.get(ANNEX);
    const words =
      'of this report: one run, at the time named above' +
      (start === undefined ? '' : `; method, rules and words in the annex from page ${start}`);
    paper.write(words, sheet.left + 72, at, contentWidth - 72, small);
  });
  paper.y += step;
  paper.write('Criteria', sheet.left, paper.y, 70, { ...small, font: 'bold' });
  paper.write('none attached', sheet.left + 72, paper.y, 120, small);
  const words = hash === null ? 'based on no result' : `result SHA-256 ${hash}`;
  paper.write(words, sheet.left + 140, paper.y, contentWidth - 140, { ...small, align: 'right' });
  paper.y += step + SIGN_HEIGHT;
  const half = contentWidth / 2 - 12;
  for (const [index, title] of ['Prepared by, date', 'Accepted by, date'].entries()) {
    const x = sheet.left + index * (half + 24);
    paper.doc
      .moveTo(x, paper.y)
      .lineTo(x + half, paper.y)
      .lineWidth(0.5)
      .strokeColor(ink.muted)
      .stroke();
    paper.write(title, x, paper.y + 2, half, { size: size.tiny, color: ink.muted, maxLines: 1 });
  }
}
