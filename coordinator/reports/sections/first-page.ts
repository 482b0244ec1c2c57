import { findingWords, placeWords, subjectLine } from '../../figures/findings/finding-words.ts';
import type { Hardware } from '../facts/node-summary.ts';
import type { GridRow } from '../facts/places.ts';
import type { RunState } from '../facts/run-state.ts';
import type { SummaryRow } from '../facts/summary-rows.ts';
import { printCount } from '../facts/print-number.ts';
import { banner } from '../layout/blocks.ts';
import { gradeInk, gradeSigns, mark } from '../layout/mark.ts';
import type { Paper, TextStyle } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { contentWidth, ink, sheet, size } from '../layout/theme.ts';
import { besideGrid, gridLegend, planGrid, verdictGrid, type GridPlan } from '../layout/verdict-grid.ts';
import { drawFoot, footLines, type Footed } from './first-page-foot.ts';
import { ALL_FINDINGS, drawToDo, planToDo } from './to-do.ts';

export const SIMULATED_WORDS = 'SIMULATED: not a measurement';
export const CPU_WORDS = "This is a CPU measurement, not a GPU's";

interface FirstPage extends Footed {
  /** "Node report" or "Job report" */
  kind: string;
  state: RunState;
  simulated: boolean;
  hardware: Hardware;
  /** short facts, printed one after the other */
  facts: string[];
  rows: SummaryRow[];
  grid: GridRow[];
}

/** The list of what to do has at least this many lines before the grid may grow. */
const FEWEST_LISTED = 110;
const LARGEST_GRID = 250;
const SMALLEST_GRID = 150;
/** Beside a grid there is room for the legend and the worst places. */
const BESIDE_LEAST = 170;
const WORST_NAMED = 3;
/** The verdict stands on one line if any of these lets it. */
const TITLE_SIZES = [size.title, 19, 17, 15];
const SMALLEST_TITLE = 15;

/**
 * The page that decides: verdict in words, facts, each subject against its reference, what to do, every device by its verdict, what
 * was not measured, limits, lines to sign. Nothing else is on it. Returns whether all findings stand on it in full.
 */
export function firstPage(paper: Paper, page: FirstPage): boolean {
  paper.write('gpumark', sheet.left, paper.y, 200, { font: 'bold', size: 11, color: ink.accent });
  paper.write(page.kind, sheet.left, paper.y, contentWidth, { size: 11, color: ink.muted, align: 'right' });
  paper.y += 22;
  if (page.simulated) banner(paper, SIMULATED_WORDS, ink.bad);
  if (page.hardware === 'cpu') banner(paper, CPU_WORDS, ink.accent);
  if (page.hardware === 'mixed')
    banner(paper, 'Some of these devices are CPUs; their figures are not those of a GPU', ink.accent);
  verdictOf(paper, page);
  rowsOf(paper, page.rows);
  const foot = footLines(paper, page);
  const end = sheet.bottom - foot.height;
  const isWhole = listAndGrid(paper, page, end);
  paper.y = end;
  drawFoot(paper, page, foot);
  paper.endPage();
  return isWhole;
}

function verdictOf(paper: Paper, { judgement, state, facts, hardware }: FirstPage): void {
  const { verdict } = judgement;
  const side = 30;
  const x = sheet.left + side + 14;
  const width = contentWidth - side - 14;
  const grade = state.grade ?? verdict.grade;
  paper.y += 2;
  mark(paper, grade, sheet.left, paper.y, side);
  const title = state.title ?? subjectLine(verdict, hardware === 'cpu');
  const look = { font: 'bold', color: gradeInk[grade], maxLines: 2 } as const;
  const fits = TITLE_SIZES.find((one) => paper.widthOf(title, { ...look, size: one }) <= width);
  const style = { ...look, size: fits ?? SMALLEST_TITLE };
  const height = paper.write(title, x, paper.y - 3, width, style);
  const below = paper.write(state.sentence, x, paper.y - 2 + height, width, { size: 9.6, maxLines: 3 });
  paper.y += Math.max(side, height + below) + 6;
  paper.y += paper.write(facts.join(' · '), sheet.left, paper.y, contentWidth, { color: ink.muted, maxLines: 3 }) + 6;
}

function rowsOf(paper: Paper, rows: readonly SummaryRow[]): void {
  if (rows.length === 0) return;
  table(
    paper,
    [
      { title: '', share: 11 },
      { title: 'Measured', share: 42, maxLines: 3 },
      { title: 'Against', share: 34, maxLines: 9 },
      { title: 'Verdicts', share: 21, maxLines: 3 },
    ],
    rows.map(({ subject, figure, reference, counts, grade }): Cell[] => [
      { text: subject, font: 'bold' },
      figure,
      reference,
      { text: `${gradeSigns[grade]}\u00A0${counts}`, color: gradeInk[grade], font: 'bold' },
    ]),
  );
}

function subtitle(paper: Paper, text: string): void {
  paper.y += paper.write(text, sheet.left, paper.y, contentWidth, { font: 'bold', size: 10, maxLines: 1 }) + 2;
}

/** What to do, then the grid; each takes what the other leaves. */
function listAndGrid(paper: Paper, page: FirstPage, end: number): boolean {
  const { judgement, names, grid } = page;
  const plan = planToDo(paper, judgement.findings, names);
  const wanted = plan.reduce((sum, { height }) => sum + height, 0);
  const heads = 34;
  const room = end - paper.y - heads;
  const listLeast = Math.min(wanted, FEWEST_LISTED);
  const gridMost = Math.min(LARGEST_GRID, Math.max(SMALLEST_GRID, room - wanted - 12), room - listLeast - 12);
  const shape = grid.length === 0 ? null : shapeOf(paper, grid, gridMost);
  const gridHeight = shape === null ? 0 : heightWithWords(shape);
  subtitle(paper, 'What to do');
  const listRoom = room - gridHeight;
  const fits = wanted <= listRoom;
  if (plan.length === 0) {
    const isOpen = page.state.title !== null;
    const words =
      judgement.verdict.grade !== 'good'
        ? 'Nothing was measured, so nothing can be said.'
        : isOpen
          ? 'Nothing so far.'
          : 'Nothing.';
    paper.y += paper.write(words, sheet.left, paper.y, contentWidth) + 4;
  }
  const drawn = drawToDo(paper, plan, fits ? listRoom : listRoom - 11);
  const left = judgement.verdict.bad + judgement.verdict.check - drawn;
  if (left > 0) moreLine(paper, `${printCount(left, 'more finding')}: see “${ALL_FINDINGS}”.`);
  paper.y += 6;
  if (shape !== null) gridOf(paper, page, shape);
  return left <= 0 && plan.every(({ isWhole }) => isWhole);
}

const moreLine = (paper: Paper, text: string): void => {
  paper.y += paper.write(text, sheet.left + 32, paper.y, contentWidth - 32, { size: size.small, color: ink.muted });
};

const isNarrow = (shape: GridPlan): boolean => besideGrid(shape) < BESIDE_LEAST;
const LEGEND = 14;
/** Below a wide grid the worst places alone, beside a narrow one what was found there too. */
const BELOW = LEGEND + 22;
const BESIDE = LEGEND + WORST_NAMED * 42;

/** The grid within `most` points, with what is written below it. */
function shapeOf(paper: Paper, grid: readonly GridRow[], most: number): GridPlan {
  const shape = planGrid(paper, grid, contentWidth, most);
  return isNarrow(shape) ? planGrid(paper, grid, contentWidth, most - BELOW) : shape;
}

/** Of a grid with what is written beside or below it. */
const heightWithWords = (shape: GridPlan): number =>
  isNarrow(shape) ? shape.height + BELOW : Math.max(shape.height, BESIDE);

function gridOf(paper: Paper, { judgement, names, grid }: FirstPage, shape: GridPlan): void {
  const isByNode = shape.rows.some(({ cells }, index) => cells.length !== grid[index]?.cells.length);
  const { areProcessors } = names.devicesOf(0) ?? { areProcessors: false };
  const kind = areProcessors ? 'processor' : 'GPU';
  subtitle(
    paper,
    isByNode
      ? `Every node by the worst verdict on it`
      : grid.length === 1
        ? `Every ${kind} by its verdict`
        : `Every node (row) and ${kind} (column) by its verdict`,
  );
  const top = paper.y;
  verdictGrid(paper, shape);
  const worst = judgement.findings.slice(0, WORST_NAMED);
  const style: TextStyle = { size: size.small, maxLines: isNarrow(shape) ? 2 : 4 };
  const x = isNarrow(shape) ? sheet.left : sheet.left + shape.width + 24;
  const width = isNarrow(shape) ? contentWidth : besideGrid(shape) - 14;
  let y = isNarrow(shape) ? paper.y + 2 : top;
  gridLegend(paper, x, y);
  y += LEGEND;
  // The list above has them in full.
  const lines = isNarrow(shape)
    ? [worst.map((finding) => placeWords(finding, names)).join('; ')]
    : worst.map((finding) => `${placeWords(finding, names)}: ${findingWords(finding)}`);
  for (const [index, text] of (worst.length === 0 ? [] : lines).entries())
    y += paper.write(`${index === 0 ? 'Worst: ' : ''}${text}`, x, y, width, style) + 1;
  paper.y = Math.max(paper.y, y);
}
