import type { Grade } from '../../contract/judgement.ts';
import type { Paper } from './paper.ts';
import { ink } from './theme.ts';

export const gradeInk: Readonly<Record<Grade, string>> = {
  good: ink.good,
  check: ink.warn,
  bad: ink.bad,
  not_measured: ink.muted,
};

/** Beside text in a table: a sign and a word, so that colour is never needed. */
export const gradeWords: Readonly<Record<Grade, string>> = {
  good: '✓\u00A0good',
  check: '!\u00A0check',
  bad: '✗\u00A0bad',
  not_measured: '–\u00A0not measured',
};
export const gradeSigns: Readonly<Record<Grade, string>> = { good: '✓', check: '!', bad: '✗', not_measured: '–' };

/** Below this side the strokes inside a mark could not be seen, so its outline alone differs. */
const SMALLEST_WITH_STROKES = 6;

/**
 * A mark that shows a grade by its shape alone: tick in a disc, exclamation mark in a triangle, cross in a square, ring. Small
 * ones: dot, triangle, square, dash.
 */
export function mark(paper: Paper, grade: Grade, x: number, y: number, side: number): void {
  if (side < SMALLEST_WITH_STROKES) return smallMark(paper, grade, x, y, side);
  const { doc } = paper;
  const color = gradeInk[grade];
  const at = (px: number, py: number): [number, number] => [x + px * side, y + py * side];
  const strokes: [number, number][][] = [];
  if (grade === 'good') {
    doc.circle(...at(0.5, 0.5), side / 2).fill(color);
    strokes.push([at(0.27, 0.52), at(0.44, 0.69), at(0.75, 0.33)]);
  } else if (grade === 'check') {
    doc.polygon(at(0.5, 0.02), at(1, 0.95), at(0, 0.95)).fill(color);
    strokes.push([at(0.5, 0.36), at(0.5, 0.65)], [at(0.5, 0.77), at(0.5, 0.83)]);
  } else if (grade === 'bad') {
    doc.rect(x, y, side, side).fill(color);
    strokes.push([at(0.28, 0.28), at(0.72, 0.72)], [at(0.72, 0.28), at(0.28, 0.72)]);
  } else {
    doc
      .circle(...at(0.5, 0.5), side * 0.42)
      .lineWidth(side * 0.1)
      .stroke(color);
  }
  doc.lineWidth(side * 0.11);
  for (const [first, ...rest] of strokes) {
    if (!first) continue;
    doc.moveTo(...first);
    for (const point of rest) doc.lineTo(...point);
    doc.strokeColor('#ffffff').stroke();
  }
}

function smallMark({ doc }: Paper, grade: Grade, x: number, y: number, side: number): void {
  const dot = side * 0.4;
  if (grade === 'bad') doc.rect(x, y, side, side);
  else if (grade === 'check') doc.polygon([x + side / 2, y], [x + side, y + side], [x, y + side]);
  else if (grade === 'good') doc.rect(x + (side - dot) / 2, y + (side - dot) / 2, dot, dot);
  else doc.rect(x, y + side * 0.42, side, side * 0.16);
  doc.fill(gradeInk[grade]);
}
