import type { EChartsOption } from 'echarts';
import svgToPdf from 'svg-to-pdfkit';
import { renderSvg } from '../../charts/render-svg.ts';
import type { Paper } from './paper.ts';
import { contentWidth, sheet } from './theme.ts';

/** Draws a chart over the full width, as vectors, its text in the report's own font. Labels must be printable already. */
export function picture(paper: Paper, option: EChartsOption, height: number): void {
  if (!paper.reserve(height + 6)) return;
  const svg = renderSvg(option, Math.round(contentWidth), height);
  svgToPdf(paper.doc, svg, sheet.left, paper.y, {
    width: contentWidth,
    height,
    assumePt: true,
    fontCallback: (_family, bold) => (bold ? 'bold' : 'regular'),
    warningCallback: (message) => {
      throw new Error(`the chart cannot be drawn: ${message}`);
    },
  });
  paper.y += height + 6;
}
