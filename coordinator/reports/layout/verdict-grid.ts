import type { Grade } from '../../contract/judgement.ts';
import type { GridRow } from '../facts/places.ts';
import { gradeInk, mark } from './mark.ts';
import type { Paper, TextStyle } from './paper.ts';
import { contentWidth, ink, sheet } from './theme.ts';

/** How a grid is laid out: the side of a cell, and the blocks side by side into which its rows are cut. */
export interface GridPlan {
  side: number;
  labelWidth: number;
  rowsPerBlock: number;
  blocks: number;
  width: number;
  height: number;
  /** cells of a row */
  columns: number;
  rows: readonly GridRow[];
}

/** Largest first; the smallest keeps 256 nodes of eight devices within a third of a page. */
const SIDES = [20, 17, 15, 13, 11, 9, 8, 7, 6, 5, 4.2, 3.4, 2.8];
/** From this side on every row has its name; below it every eighth has its number. */
const NAMED_FROM = 7;
const NAME_MOST = 108;
const BLOCK_GAP = 12;
const HEAD = 9;
const NUMBERED_EVERY = 8;

/**
 * The largest cells with which all rows fit into this space. Where not even the smallest do, a node has one cell, the worst of
 * its devices.
 */
export function planGrid(paper: Paper, rows: readonly GridRow[], width: number, height: number): GridPlan {
  const inFull = SIDES.map((side) => planOf(paper, rows, side, height)).find((plan) => plan.width <= width);
  if (inFull) return inFull;
  const nodes = rows.map((row) => ({ ...row, cells: [row.grade] }));
  const byNode = SIDES.map((side) => planOf(paper, nodes, side, height)).find((plan) => plan.width <= width);
  return byNode ?? planOf(paper, nodes, SIDES.at(-1) ?? 1, height);
}

function planOf(paper: Paper, rows: readonly GridRow[], side: number, height: number): GridPlan {
  const columns = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const step = stepOf(side);
  const rowsPerBlock = Math.max(1, Math.min(rows.length, Math.floor((height - HEAD) / step)));
  const blocks = Math.ceil(rows.length / rowsPerBlock);
  const isNamed = side >= NAMED_FROM;
  const bold: TextStyle = { ...nameStyle(side), font: 'bold' };
  const longest = isNamed ? Math.max(...rows.map(({ name }) => paper.widthOf(name, bold))) + 8 : 15;
  const labelWidth = Math.min(NAME_MOST, longest);
  return {
    side,
    labelWidth,
    rowsPerBlock,
    blocks,
    width: blocks * (labelWidth + columns * step) + (blocks - 1) * BLOCK_GAP,
    height: HEAD + rowsPerBlock * step,
    columns,
    rows,
  };
}

/** Small cells stand close to each other. */
const stepOf = (side: number): number => (side >= NAMED_FROM ? side + 2.5 : side + 0.8);
const nameStyle = (side: number): TextStyle => ({ size: Math.min(7.2, side * 0.8), maxLines: 1 });

/** One row for each node, one mark for each device. */
export function verdictGrid(paper: Paper, plan: GridPlan): void {
  const { side, labelWidth, rowsPerBlock, columns, rows } = plan;
  const step = stepOf(side);
  const isNamed = side >= NAMED_FROM;
  const head: TextStyle = { size: 5.6, color: ink.muted, align: 'center', maxLines: 1 };
  for (let block = 0; block < plan.blocks; block += 1) {
    const left = sheet.left + block * (labelWidth + columns * step + BLOCK_GAP);
    if (isNamed && columns > 1)
      for (let column = 0; column < columns; column += 1)
        paper.write(String(column), left + labelWidth + column * step, paper.y, side, head);
    rows.slice(block * rowsPerBlock, (block + 1) * rowsPerBlock).forEach((row, at) => {
      const y = paper.y + HEAD + at * step;
      const number = block * rowsPerBlock + at;
      if (isNamed) nameOf(paper, row, left, y, plan);
      else if (number % NUMBERED_EVERY === 0)
        paper.write(String(number), left, y - 1.6, labelWidth - 3, { ...head, size: 5, align: 'right' });
      row.cells.forEach((grade, column) => {
        mark(paper, grade, left + labelWidth + column * step, y, side);
      });
    });
  }
  paper.y += plan.height;
}

/** A node with a problem of its own is named in its colour, and in bold. */
function nameOf(paper: Paper, { name, grade }: GridRow, x: number, y: number, { side, labelWidth }: GridPlan): void {
  const isDoubtful = grade === 'bad' || grade === 'check';
  const style: TextStyle = {
    ...nameStyle(side),
    font: isDoubtful ? 'bold' : 'regular',
    color: isDoubtful ? gradeInk[grade] : ink.text,
  };
  paper.write(name, x, y + (side - paper.lineHeight(style)) / 2, labelWidth - 4, style);
}

/** The shapes and what they mean, on one line. */
export function gridLegend(paper: Paper, x: number, y: number): void {
  const words: [Grade, string][] = [
    ['good', 'good'],
    ['check', 'check'],
    ['bad', 'bad'],
    ['not_measured', 'not measured'],
  ];
  let at = x;
  for (const [grade, text] of words) {
    mark(paper, grade, at, y + 1, 7);
    paper.write(text, at + 10, y, 80, { size: 6.8, color: ink.muted, maxLines: 1 });
    at += 18 + paper.widthOf(text, { size: 6.8 });
  }
}

/** Width left beside a grid. */
export const besideGrid = ({ width }: GridPlan): number => contentWidth - width - BLOCK_GAP;
