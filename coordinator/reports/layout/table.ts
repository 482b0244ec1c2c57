import { piecesOf } from './fit-text.ts';
import type { Paper, TextStyle } from './paper.ts';
import { contentWidth, ink, sheet, size } from './theme.ts';

export interface Column {
  title: string;
  /** share of the width */
  share: number;
  align?: 'left' | 'right';
  /** lines of a cell before the ellipsis */
  maxLines?: number;
}

/** `span`: number of columns that the cell covers; the next cell of its row goes into the column after them. */
export type Cell = string | { text: string; font?: 'regular' | 'bold'; color?: string; span?: number };

/** Space between columns. */
const GUTTER = 8;
const ROW_PADDING = 2.4;

/** Type and space of a table's rows. */
interface Density {
  size: number;
  padding: number;
}
const usual: Density = { size: size.small, padding: ROW_PADDING };
/** For a long table that is looked things up in. */
export const compact: Density = { size: 6, padding: 1.2 };

/**
 * A table with its head repeated on every page. Rows stay whole; if the page limit ends it, the number of rows left
 * out is printed.
 */
export function table(paper: Paper, columns: Column[], rows: Cell[][], density: Density = usual): void {
  const places = placesOf(columns);
  const style: TextStyle = { size: density.size };
  const foot = paper.lineHeight(style) + 4;
  if (!paper.reserve(foot + 36)) return;
  drawHead(paper, columns, places);
  for (const [index, row] of rows.entries()) {
    const cells = layRow(paper, { columns, places, density }, row);
    const height = Math.max(...cells.map((cell) => cell.lines.length)) * paper.lineHeight(style) + 2 * density.padding;
    const isLast = index === rows.length - 1;
    // On the last page a line stays free for the number of rows left out.
    const needed = height + (paper.pages === paper.pageLimit && !isLast ? foot : 0);
    if (paper.y + needed > sheet.bottom) {
      if (!paper.newPage()) {
        const left = `${rows.length - index} more rows are left out here.`;
        paper.write(left, sheet.left, paper.y + 3, contentWidth, { ...style, color: ink.muted });
        paper.y = sheet.bottom;
        return;
      }
      drawHead(paper, columns, places);
    }
    for (const { lines, place, look } of cells)
      paper.draw(lines, place.x, paper.y + density.padding, place.width, look);
    paper.y += height;
    paper.rule(paper.y);
  }
  paper.y += 7;
}

interface LaidCell {
  lines: string[];
  place: Place;
  look: TextStyle;
}

interface Laid {
  columns: Column[];
  places: Place[];
  density: Density;
}

/** Wraps the cells of one row to the widths of the columns that they cover. */
function layRow(paper: Paper, { columns, places, density }: Laid, row: Cell[]): LaidCell[] {
  let at = 0;
  return row.flatMap((given) => {
    const cell = asCell(given);
    const column = columns[at];
    const first = places[at];
    const last = places[at + (cell.span ?? 1) - 1];
    at += cell.span ?? 1;
    if (!column || !first || !last) return [];
    const place = { x: first.x, width: last.x + last.width - first.x };
    const look: TextStyle = {
      size: sizeFor(paper, cell, place.width, density.size),
      font: cell.font ?? 'regular',
      color: cell.color ?? ink.text,
      align: cell.span === undefined ? (column.align ?? 'left') : 'left',
      maxLines: column.maxLines ?? 2,
    };
    return [{ lines: paper.lines(cell.text, place.width, look), place, look }];
  });
}

const SMALLEST = 4.8;
/** The widest letter of the font is narrower than this multiple of its size. */
const WIDEST = 0.95;

/** Smaller where a number would not fit into its column: it is never broken. */
function sizeFor(
  paper: Paper,
  { text, font = 'regular' }: Exclude<Cell, string>,
  width: number,
  usualSize: number,
): number {
  const numbers = piecesOf(text).filter(
    (piece) => piece.length * usualSize * WIDEST > width && /\d[\d.,]*\d/.test(piece),
  );
  const widest = Math.max(
    0,
    ...numbers.map((piece) => paper.widthOf(piece.trimEnd().slice(0, LONGEST_NUMBER), { size: usualSize, font })),
  );
  return widest <= width ? usualSize : Math.max(SMALLEST, (usualSize * width) / widest);
}

/** What is longer is a name or an id, which may be broken. */
const LONGEST_NUMBER = 16;

function drawHead(paper: Paper, columns: Column[], places: Place[]): void {
  const style: TextStyle = { size: size.small, font: 'bold', color: ink.muted, maxLines: 3 };
  const heads = columns.map((column, at) => paper.lines(column.title, places[at]?.width ?? 0, style));
  const height = Math.max(...heads.map((lines) => lines.length)) * paper.lineHeight(style) + 2 * ROW_PADDING;
  paper.doc.rect(sheet.left, paper.y, contentWidth, height).fill(ink.shade);
  heads.forEach((lines, at) => {
    const place = places[at];
    const align = columns[at]?.align ?? 'left';
    const drop = height - 2 * ROW_PADDING - lines.length * paper.lineHeight(style);
    if (place) paper.draw(lines, place.x, paper.y + ROW_PADDING + drop, place.width, { ...style, align });
  });
  paper.y += height;
  paper.rule(paper.y, ink.muted);
}

interface Place {
  x: number;
  width: number;
}

function placesOf(columns: Column[]): Place[] {
  const total = columns.reduce((sum, column) => sum + column.share, 0);
  const usable = contentWidth - GUTTER * columns.length;
  let x = sheet.left + GUTTER / 2;
  return columns.map((column) => {
    const place = { x, width: (usable * column.share) / total };
    x += place.width + GUTTER;
    return place;
  });
}

const asCell = (cell: Cell): Exclude<Cell, string> => (typeof cell === 'string' ? { text: cell } : cell);
