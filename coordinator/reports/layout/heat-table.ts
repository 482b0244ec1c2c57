import type { Paper, TextStyle } from './paper.ts';
import { contentWidth, ink, sheet, size } from './theme.ts';

export interface HeatCell {
  text: string;
  /** 0 to 1: how dark the cell is; null if it has no value */
  heat: number | null;
  /** a second sign, small, in the corner */
  corner?: string;
  /** a frame and bold type; the text itself carries the sign */
  flag?: 'warn' | 'bad';
}

interface HeatTable {
  /** text in the corner of the head: what rows and columns are */
  corner: string;
  names: string[];
  cellAt: (row: number, column: number) => HeatCell;
}

/** Up to this many columns, cells and type are larger; maximum columns side by side. */
const ROOMY = 8;
const MAX_COLUMNS = 16;
const NAME_WIDTH = 42;
/** Full heat; black type stays readable on it. */
const HOT = [0x9d, 0xbf, 0xe0] as const;

/**
 * A square table of numbers on shaded cells. Rows are never split, and the head is repeated on every page. More than 16
 * columns become several blocks below each other. False if the page limit ended it.
 */
export function heatTable(paper: Paper, { corner, names, cellAt }: HeatTable): boolean {
  for (let first = 0; first < names.length; first += MAX_COLUMNS) {
    const columns = names.slice(first, first + MAX_COLUMNS);
    const isRoomy = names.length <= ROOMY;
    const style: TextStyle = { size: isRoomy ? size.small : 5.8, maxLines: 1 };
    const height = isRoomy ? 17 : 13;
    // Few columns are not stretched over the page.
    const width = Math.min(64, (contentWidth - NAME_WIDTH) / columns.length);
    const drawHead = (): void => headOf(paper, corner, columns, { width, height, style });
    if (!paper.reserve(height * (Math.min(names.length, 8) + 1))) return false;
    drawHead();
    for (const [row, name] of names.entries()) {
      if (paper.y + height > sheet.bottom) {
        if (!paper.newPage()) return false;
        drawHead();
      }
      write(paper, name, sheet.left, NAME_WIDTH - 4, height, { ...style, font: 'bold', color: ink.muted });
      columns.forEach((_, column) => {
        drawCell(paper, cellAt(row, first + column), sheet.left + NAME_WIDTH + column * width, {
          width,
          height,
          style,
        });
      });
      paper.y += height;
    }
    paper.y += 8;
  }
  return true;
}

interface Look {
  width: number;
  height: number;
  style: TextStyle;
}

function headOf(paper: Paper, corner: string, columns: string[], { width, height, style }: Look): void {
  const look: TextStyle = { ...style, font: 'bold', color: ink.muted };
  write(paper, corner, sheet.left, NAME_WIDTH - 4, height, look);
  columns.forEach((name, column) => {
    write(paper, name, sheet.left + NAME_WIDTH + column * width, width, height, { ...look, align: 'center' });
  });
  paper.y += height;
}

function drawCell(paper: Paper, cell: HeatCell, x: number, { width, height, style }: Look): void {
  const { doc, y } = paper;
  doc.rect(x, y, width, height).lineWidth(0.5).fillAndStroke(shade(cell.heat), '#ffffff');
  const color = cell.flag ? ink[cell.flag] : cell.heat === null ? ink.muted : ink.text;
  if (cell.flag)
    doc
      .rect(x + 0.8, y + 0.8, width - 1.6, height - 1.6)
      .lineWidth(1.2)
      .stroke(color);
  write(paper, cell.text, x, width, height, { ...style, align: 'center', color, font: cell.flag ? 'bold' : 'regular' });
  if (cell.corner === undefined) return;
  const tiny: TextStyle = { size: 4.6, color: ink.muted, align: 'right', maxLines: 1 };
  paper.write(cell.corner, x, y + height - 6.6, width - 2, tiny);
}

function write(paper: Paper, text: string, x: number, width: number, height: number, style: TextStyle): void {
  paper.write(text, x, paper.y + (height - paper.lineHeight(style)) / 2, width, style);
}

function shade(heat: number | null): string {
  if (heat === null) return ink.shade;
  const share = Math.min(1, Math.max(0, heat));
  const parts = HOT.map((channel) => Math.round(255 - (255 - channel) * share));
  return `#${parts.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
