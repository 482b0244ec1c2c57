import { FormatError, type SourceFile } from '../connector.ts';
import { refuse } from '../judge-listing.ts';
import type { ReadRow } from '../listing.ts';
import { oneByOne } from './batches.ts';
import { ColumnCheck } from './column-check.ts';
import { placesIn, type CsvFormat, type Places } from './csv-format.ts';
import { csvRecords } from './csv-records.ts';

/** What a connector makes of the rows; `end` is for what only the whole file tells. */
export interface RowReader<Column extends string, Item = ReadRow> {
  /** The row is the reader's for this call only: the next one is read into the same object. */
  row: (row: CsvRow<Column>) => readonly Item[];
  end?: () => readonly Item[];
}

/** One that also says what becomes of a row with too few or too many cells, which is not shown to `row`. */
interface TableReader<Column extends string, Item> extends RowReader<Column, Item> {
  misfit: (row: number, detail: string) => Item;
}

/** A row under its header. */
export class CsvRow<Column extends string> {
  /** counts from 1, the header not included */
  number = 0;
  cells: readonly string[] = [];
  readonly #places: Places<Column>;

  constructor(places: Places<Column>) {
    this.#places = places;
  }

  /** Without blanks around it; empty where the file has no such column. */
  cell(column: Column): string {
    const at = this.#places[column];
    return at === undefined ? '' : (this.cells[at] ?? '').trim();
  }
}

/**
 * A CSV file through a connector's reader. Rows with too few or too many cells are refused as `cells-missing` and not
 * shown to it. @throws FormatError: no such columns, swapped columns, broken quotes, empty
 */
export const readCsv = <Column extends string>(
  file: SourceFile,
  format: CsvFormat<Column>,
  reader: RowReader<Column>,
): AsyncGenerator<ReadRow, void> => oneByOne(readCsvBatches(file, format, reader));

/** The same, as many rows as came with one chunk at a time. */
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
  for await (const records of csvRecords(file)) {
    const batch: Item[] = [];
    for (const cells of records) {
      if (table === null) table = openTable(file, cells, format);
      else for (const read of table.read(cells, reader)) batch.push(read);
    }
    if (batch.length > 0) yield batch;
  }
  if (table === null) throw new FormatError(file, null, 'is empty');
  table.end();
  if (reader.end !== undefined) yield reader.end();
}

interface Table<Column extends string, Item> {
  read: (cells: readonly string[], reader: TableReader<Column, Item>) => readonly Item[];
  end: () => void;
}

function openTable<Column extends string, Item>(
  file: Pick<SourceFile, 'name'>,
  header: readonly string[],
  format: CsvFormat<Column>,
): Table<Column, Item> {
  const places = placesIn(file, header, format);
  const row = new CsvRow(places);
  const looks = Object.entries(format.looks ?? {}) as [Column, ConstructorParameters<typeof ColumnCheck>[1]][];
  let checks = looks
    .filter(([column]) => places[column] !== undefined)
    .map(([column, what]) => ({ column, check: new ColumnCheck(column, what) }));
  return {
    read: (cells, reader) => {
      row.number += 1;
      row.cells = cells;
      if (cells.length !== header.length) {
        return [reader.misfit(row.number, `${cells.length} cells under ${header.length} columns`)];
      }
      if (checks.length > 0) checks = checks.filter(({ column, check }) => !check.see(file, row.cell(column)));
      return reader.row(row);
    },
    end: () => {
      for (const { check } of checks) check.judge(file);
    },
  };
}
