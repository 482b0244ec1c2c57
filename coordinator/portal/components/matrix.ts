import { median, orNull } from '../../figures/statistics.ts';
import { html, type Content, type Html } from '../frame/html.ts';
import { scrollRegion } from './scroll-region.ts';

export interface MatrixCell {
  from: number;
  to: number;
  /** null: it failed */
  value: number | null;
  /** what is expected of it; null or absent: the median of all */
  expected?: number | null | undefined;
}

/** The visible part of a large matrix: nodes from `first` to `last`, inclusive. */
export interface Range {
  first: number;
  last: number;
}

interface Options {
  names: readonly string[];
  cells: readonly MatrixCell[];
  unit: string;
  /** what values stand beside, in the legend */
  beside?: string;
  /** singular name of a row or column: node, GPU */
  of: string;
  caption: string;
  /** what each value is based on, such as its sample count */
  support?: string | undefined;
  /** Visible rows and columns if not all fit; absent: all. */
  rows?: Range | null;
  cols?: Range | null;
  /** link to a closer view of a part of the matrix */
  hrefOf?: (rows: Range, cols: Range) => string;
}

/** Share of what is expected -> class. Only what is too slow is coloured; the number is always shown as well. */
const heatOf = (ratio: number): 'h1' | 'h2' | 'h3' | '' =>
  ratio < 0.8 ? 'h1' : ratio < 0.9 ? 'h2' : ratio < 0.95 ? 'h3' : '';

/** Maximum rows and columns of one table, so that each cell has room for a number. */
export const MOST_SHOWN = 16;

/**
 * Bandwidth from row to column. If there are more nodes than fit, each cell is a block of nodes, shows the lowest value
 * in it and links to it, so that every pair is at most two clicks away and every picture is a table with numbers.
 */
export function matrix(options: Options): Html | null {
  const { names, cells, unit, of, caption, support, rows, cols, hrefOf, beside = 'the median' } = options;
  const measured = cells.flatMap(({ value }) => value ?? []).toSorted((a, b) => a - b);
  if (cells.length === 0) return null;
  const middle = orNull(median(measured)) ?? 0;
  const all = { first: 0, last: names.length - 1 };
  const across = blocksOf(rows ?? all);
  const down = blocksOf(cols ?? all);
  const ratioOf = ({ value, expected }: MatrixCell): number => (value ?? 0) / (expected ?? middle);
  const worst = measured.length > 1 ? worstCell(cells, ratioOf) : undefined;
  const blocks = gather(cells, across, down, ratioOf);
  const nameOf = (block: Range): string =>
    block.first === block.last ? (names[block.first] ?? String(block.first)) : `${block.first} to ${block.last}`;
  const cellAt = (row: number, column: number): Html => {
    const from = across[row] ?? all;
    const to = down[column] ?? all;
    const isOne = from.first === from.last && to.first === to.last;
    const found = blocks.get(row * down.length + column);
    if (found === undefined) return blank('·', isOne && from.first === to.first ? `the ${of} itself` : 'not tested');
    const link = (content: Content): Content =>
      isOne || hrefOf === undefined ? content : html`<a href="${hrefOf(from, to)}">${content}</a>`;
    if (found.worst === null)
      return html`<td class="h0">
        ${link(html`<span aria-hidden="true">✗</span><span class="vh">failed${isOne ? '' : `, ${found.failed} of ${found.count}`}</span>`)}
      </td>`;
    const ratio = ratioOf(found.worst);
    const isWorst = found.worst === worst;
    const heat = heatOf(ratio);
    const told =
      heat === '' && !isWorst
        ? null
        : html`<span class="vh">, ${ratio.toFixed(2)} of ${beside}${isWorst ? ', the worst' : ''}</span>`;
    return html`<td class="${heat}${isWorst ? ' worst' : ''}">
      ${link(html`${isWorst ? '▼ ' : null}${(found.worst.value ?? 0).toPrecision(3)}${told}`)}
    </td>`;
  };
  const isBlocks = [...across, ...down].some(({ first, last }) => first !== last);
  const cellsTable = html`<table class="matrix">
    <caption>
      ${caption}, ${unit}, from row to
      column${support === undefined ? '' : `, ${support}`}${isBlocks ? `. Each cell is a block and shows the worst in it${hrefOf === undefined ? '; every pair is in the files below' : '; its link opens the block'}` : ''}
    </caption>
    <thead>
      <tr>
        <th scope="col">from \\ to</th>
        ${down.map((block) => html`<th scope="col">${nameOf(block)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${across.map(
        (block, row) =>
          html`<tr>
            <th scope="row">${nameOf(block)}</th>
            ${down.map((_, column) => cellAt(row, column))}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`${scrollRegion(caption, cellsTable)}
    <ul class="legend">
      <li><i class="h1"></i>below 0.80 of ${beside}</li>
      <li><i class="h2"></i>0.80 to 0.90</li>
      <li><i class="h3"></i>0.90 to 0.95</li>
      <li>▼ worst, ✗ failed, · not tested</li>
    </ul>`;
}

const blank = (sign: string, words: string): Html =>
  html`<td class="h0"><span aria-hidden="true">${sign}</span><span class="vh">${words}</span></td>`;

function blocksOf({ first, last }: Range): Range[] {
  const size = Math.ceil((last - first + 1) / MOST_SHOWN);
  const count = Math.ceil((last - first + 1) / size);
  return Array.from({ length: count }, (_, index) => ({
    first: first + index * size,
    last: Math.min(last, first + (index + 1) * size - 1),
  }));
}

type RatioOf = (cell: MatrixCell) => number;

/** The measured cell with the lowest ratio, the first of several. */
const worstCell = (cells: readonly MatrixCell[], ratioOf: RatioOf): MatrixCell | undefined =>
  cells.reduce<MatrixCell | undefined>(
    (worst, cell) => (cell.value === null || (worst !== undefined && ratioOf(worst) <= ratioOf(cell)) ? worst : cell),
    undefined,
  );

interface Gathered {
  /** the measured cell with the lowest ratio; null if none was measured */
  worst: MatrixCell | null;
  failed: number;
  count: number;
}

function gather(
  cells: readonly MatrixCell[],
  rows: readonly Range[],
  cols: readonly Range[],
  ratioOf: RatioOf,
): Map<number, Gathered> {
  const blocks = new Map<number, Gathered>();
  const placeIn = (ranges: readonly Range[]) => {
    const [start] = ranges;
    const size = start === undefined ? 1 : start.last - start.first + 1;
    const last = ranges.at(-1)?.last ?? -1;
    return (node: number) =>
      start === undefined || node < start.first || node > last ? -1 : Math.floor((node - start.first) / size);
  };
  const [rowOf, colOf] = [placeIn(rows), placeIn(cols)];
  for (const cell of cells) {
    const [row, column] = [rowOf(cell.from), colOf(cell.to)];
    if (row < 0 || column < 0) continue;
    const key = row * cols.length + column;
    const known = blocks.get(key) ?? { worst: null, failed: 0, count: 0 };
    known.count += 1;
    if (cell.value === null) known.failed += 1;
    else if (known.worst === null || ratioOf(cell) < ratioOf(known.worst)) known.worst = cell;
    blocks.set(key, known);
  }
  return blocks;
}
