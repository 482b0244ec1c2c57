import type { Tone } from '../facts/finding.ts';
import type { Paper } from './paper.ts';
import { ink } from './theme.ts';

export const toneColor: Record<Tone, string> = { good: ink.good, warn: ink.warn, bad: ink.bad, open: ink.muted };

/** A mark whose shape alone tells the verdict: tick in a disc, sign in a triangle, cross in a square, dash in a ring. */
export function mark(paper: Paper, tone: Tone, x: number, y: number, side: number): void {
  const { doc } = paper;
  const color = toneColor[tone];
  const at = (px: number, py: number): [number, number] => [x + px * side, y + py * side];
  const strokes: [number, number][][] = [];
  if (tone === 'good') {
    doc.circle(...at(0.5, 0.5), side / 2).fill(color);
    strokes.push([at(0.27, 0.52), at(0.44, 0.69), at(0.75, 0.33)]);
  } else if (tone === 'warn') {
    doc.polygon(at(0.5, 0.02), at(1, 0.95), at(0, 0.95)).fill(color);
    strokes.push([at(0.5, 0.36), at(0.5, 0.65)], [at(0.5, 0.77), at(0.5, 0.83)]);
  } else if (tone === 'bad') {
    doc.rect(x, y, side, side).fill(color);
    strokes.push([at(0.28, 0.28), at(0.72, 0.72)], [at(0.72, 0.28), at(0.28, 0.72)]);
  } else {
    doc
      .circle(...at(0.5, 0.5), side * 0.45)
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
