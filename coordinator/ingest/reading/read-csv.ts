import { FormatError, type SourceFile } from '../connector.ts';
import { refuse } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { csvRecords, type CsvRecord } from './csv-records.ts';
import { CsvRow } from './csv-row.ts';
import { amountIn, utcTime } from './cell-values.ts';

/** `count`: whole accelerators or a common fraction of one, as opposed to a price. */
type Looks = 'number' | 'count' | 'date';

/** Filled cells after which a column is judged; a shorter file is judged at its end. */
const SAMPLE = 100;
/** The fractions of an accelerator that are sold, a sixth and halves down to an eighth, are multiples of 1/24. */
const PARTS_OF_ONE = 24;

const fits: Record<Looks, (cell: string) => boolean> = {
  number: (cell) => !Number.isNaN(amountIn(cell) ?? 0),
  count: (cell) => isCount(amountIn(cell) ?? 0),
  date: (cell) => !Number.isNaN(utcTime(cell).getTime()),
};

/** Checks in a column's first cells whether it holds what its name says; costs nothing after those. */
class ColumnCheck {
  readonly #looks: Looks;
  readonly #column: string;
  #filled = 0;
  #fitting = 0;
  #misfit = '';

  constructor(column: string, looks: Looks) {
    this.#column = column;
    this.#looks = looks;
  }

  /** True once the column is judged and needs no further check. @throws FormatError */
  see(file: Pick<SourceFile, 'name'>, cell: string): boolean {
    if (cell === '') return false;
    this.#filled += 1;
    if (fits[this.#looks](cell)) this.#fitting += 1;
    else this.#misfit = cell;
    if (this.#filled < SAMPLE) return false;
    this.judge(file);
    return true;
  }

  /** @throws FormatError if fewer than half of the cells are what they should be */
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

/** What a CSV file must look like to be read: columns by name, in any order; other columns are ignored. */
export interface CsvFormat<Column extends string> {
  required: readonly Column[];
  optional?: readonly Column[];
  /** at least one column of each group */
  anyOf?: readonly (readonly Column[])[];
  /** what most non-empty cells of a column must be; this detects swapped columns */
  looks?: Partial<Record<Column, Looks>>;
  /**
   * columns that change from row to row, for a format with millions of rows: the rest of a row is then read once for all
   * rows that share it
   */
  varying?: readonly Column[];
  /** the publisher has written files in Latin-1 too */
  orLatin1?: true;
}

/** Column -> its index. Columns that the file does not have are left out. */
export type Places<Column extends string> = Partial<Record<Column, number>>;

/** @throws FormatError that names the missing and the present columns, or one that appears twice */
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

/** Items in a batch: few enough to be freed before the garbage collector would move them. */
const MOST_AT_ONCE = 256;

/** What a connector makes of the rows; `end` returns the items that need the whole file. */
export interface RowReader<Column extends string, Item = ReadRow> {
  /** The row is valid during this call only: the next one is read into the same object. */
  row: (row: CsvRow<Column>) => readonly Item[];
  end?: () => readonly Item[];
}

/** A reader that also handles rows with too few or too many cells, which are not passed to `row`. */
interface TableReader<Column extends string, Item> extends RowReader<Column, Item> {
  misfit: (row: Pick<SourceRecord, 'number'>, detail: string) => Item;
}

/**
 * Reads a CSV file with a connector's reader. Rows with too few or too many cells are refused as `cells-missing` and not
 * passed to it. @throws FormatError: columns missing or swapped, broken quotes, empty
 */
export const readCsv = <Column extends string>(
  file: SourceFile,
  format: CsvFormat<Column>,
  reader: RowReader<Column>,
): AsyncGenerator<ReadRow, void> => oneByOne(readCsvBatches(file, format, reader));

/** The same in batches. */
export const readCsvBatches = <Column extends string>(
  file: SourceFile,
  format: CsvFormat<Column>,
  reader: RowReader<Column>,
): AsyncGenerator<readonly ReadRow[], void> =>
  readCsvItems(file, format, { ...reader, misfit: (row, detail) => refuse(row, 'cells-missing', detail) });

/** The same for items of any kind. */
export async function* readCsvItems<Column extends string, Item>(
  file: Pick<SourceFile, 'name' | 'content'>,
  format: CsvFormat<Column>,
  reader: TableReader<Column, Item>,
): AsyncGenerator<readonly Item[], void> {
  let table: Table<Column, Item> | null = null;
  for await (const records of csvRecords(file, format)) {
    let batch: Item[] = [];
    for (const record of records) {
      if (table === null) table = openTable(file, record.cells, format);
      else for (const read of table.read(record, reader)) batch.push(read);
      if (batch.length < MOST_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
  if (table === null) throw new FormatError(file, null, 'is empty');
  table.end();
  if (reader.end !== undefined) yield reader.end();
}

interface Table<Column extends string, Item> {
  read: (record: CsvRecord, reader: TableReader<Column, Item>) => readonly Item[];
  end: () => void;
}

function openTable<Column extends string, Item>(
  file: Pick<SourceFile, 'name'>,
  header: readonly string[],
  format: CsvFormat<Column>,
): Table<Column, Item> {
  const places = placesIn(file, header, format);
  const row = new CsvRow(places, { width: header.length, varying: format.varying ?? [] });
  const looks = Object.entries(format.looks ?? {}) as [Column, ConstructorParameters<typeof ColumnCheck>[1]][];
  let checks = looks
    .filter(([column]) => places[column] !== undefined)
    .map(([column, what]) => ({ column, check: new ColumnCheck(column, what) }));
  return {
    read: (record, reader) => {
      row.take(record);
      if (!row.isWhole) return [reader.misfit(row, `${row.cells.length} cells under ${header.length} columns`)];
      if (checks.length > 0) checks = checks.filter(({ column, check }) => !check.see(file, row.cell(column)));
      return reader.row(row);
    },
    end: () => {
      for (const { check } of checks) check.judge(file);
    },
  };
}

/** Awaiting each of many rows costs as much as reading it; the rows of a batch need no await. */

export async function* oneByOne<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

export async function* batchesOfOne<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[], void> {
  for await (const row of rows) yield [row];
}
