import { FormatError, type SourceFile } from '../connector.ts';
import { amountIn, utcTime } from './cell-values.ts';

/** `count`: whole accelerators or a usual part of one, no price. */
type Looks = 'number' | 'count' | 'date';

/** Filled cells after which a column is judged; a shorter file is judged at its end. */
const SAMPLE = 100;
/** A sixth of an accelerator and the halves down to an eighth are sold. */
const PARTS_OF_ONE = 24;

const fits: Record<Looks, (cell: string) => boolean> = {
  number: (cell) => !Number.isNaN(amountIn(cell) ?? 0),
  count: (cell) => isCount(amountIn(cell) ?? 0),
  date: (cell) => !Number.isNaN(utcTime(cell).getTime()),
};

/** Reads a column's first cells to tell whether it holds what its name says. Free after those. */
export class ColumnCheck {
  readonly #looks: Looks;
  readonly #column: string;
  #filled = 0;
  #fitting = 0;
  #misfit = '';

  constructor(column: string, looks: Looks) {
    this.#column = column;
    this.#looks = looks;
  }

  /** True: judged, and need not be asked again. @throws FormatError */
  see(file: Pick<SourceFile, 'name'>, cell: string): boolean {
    if (cell === '') return false;
    this.#filled += 1;
    if (fits[this.#looks](cell)) this.#fitting += 1;
    else this.#misfit = cell;
    if (this.#filled < SAMPLE) return false;
    this.judge(file);
    return true;
  }

  /** @throws FormatError where fewer than half of the cells are what they should be */
  judge(file: Pick<SourceFile, 'name'>): void {
    if (this.#fitting * 2 >= this.#filled) return;
    const what = { number: 'numbers', count: 'counts', date: 'dates' }[this.#looks];
    const sentence = (example: string) =>
      `the column ${this.#column} does not hold ${what}${example}: are columns swapped?`;
    throw new FormatError(file, null, sentence(` (such as "${this.#misfit.slice(0, 40)}")`), sentence(''));
  }
}

function isCount(value: number): boolean {
  if (value >= 1) return Number.isInteger(value);
  const parts = value * PARTS_OF_ONE;
  return Math.abs(parts - Math.round(parts)) < 0.1;
}

/** What a CSV file must look like to be read: columns by name, in any order, others beside them. */
export interface CsvFormat<Column extends string> {
  required: readonly Column[];
  optional?: readonly Column[];
  /** of each group one at least */
  anyOf?: readonly (readonly Column[])[];
  /** what the filled cells of a column mostly are; a file with swapped columns is told by it */
  looks?: Partial<Record<Column, Looks>>;
  /** columns that change from row to row, for a format that brings millions: the rest of a row is then read once for all that share it */
  varying?: readonly Column[];
}

/** Column -> its place. A column that the file does not have is not in it. */
export type Places<Column extends string> = Partial<Record<Column, number>>;

/** @throws FormatError that names the columns missing and those that are there, or one that is there twice */
export function placesIn<Column extends string>(
  file: Pick<SourceFile, 'name'>,
  header: readonly string[],
  format: CsvFormat<Column>,
): Places<Column> {
  const names = header.map((name) => name.trim());
  const missing: string[] = format.required.filter((column) => !names.includes(column));
  for (const group of format.anyOf ?? []) {
    if (!group.some((column) => names.includes(column))) missing.push(group.join(' or '));
  }
  if (missing.length > 0) {
    const sentence = `is not of this format: it has no column ${missing.join(', ')}`;
    throw new FormatError(file, null, `${sentence}; its columns are ${shown(names)}`, sentence);
  }
  const places: Places<Column> = {};
  for (const column of [...format.required, ...(format.optional ?? []), ...(format.anyOf ?? []).flat()]) {
    const at = names.indexOf(column);
    if (at < 0) continue;
    if (names.includes(column, at + 1)) throw new FormatError(file, null, `has the column ${column} twice`);
    places[column] = at;
  }
  return places;
}

/** A file of another format may have its whole content in the first line. */
const shown = (names: readonly string[]): string => {
  const text = names.join(', ');
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
};
