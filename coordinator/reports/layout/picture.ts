import svgToPdf from 'svg-to-pdfkit';
import { printed, sizeOf } from '../../charts/standalone.ts';
import type { Paper } from './paper.ts';
import { contentWidth, sheet } from './theme.ts';

/** Height in points of a chart drawn over the full width. */
export const heightOf = (svg: string): number => (sizeOf(svg).height / sizeOf(svg).width) * contentWidth + 6;

/** Draws a chart over the full width, as vectors, its text in the report's own font. Labels must be printable already. */
export function picture(paper: Paper, svg: string): void {
  const height = heightOf(svg);
  if (!paper.reserve(height)) return;
  svgToPdf(paper.doc, printed(svg), sheet.left, paper.y, {
    width: contentWidth,
    height: height - 6,
    assumePt: true,
    fontCallback: (_family, bold) => (bold ? 'bold' : 'regular'),
    warningCallback: (message) => {
      throw new Error(`the chart cannot be drawn: ${message}`);
    },
  });
  paper.y += height;
}
