import { FormatError, type SourceFile } from '../connector.ts';
import { refuse } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { ColumnCheck, placesIn, type CsvFormat } from './csv-format.ts';
import { csvRecords, type CsvRecord } from './csv-records.ts';
import { CsvRow } from './csv-row.ts';

/** Items in a batch: so few that they are gone before the garbage collector would move them. */
const MOST_AT_ONCE = 256;

/** What a connector makes of the rows; `end` is for what only the whole file tells. */
export interface RowReader<Column extends string, Item = ReadRow> {
  /** The row is the reader's for this call only: the next one is read into the same object. */
  row: (row: CsvRow<Column>) => readonly Item[];
  end?: () => readonly Item[];
}

/** One that also says what becomes of a row with too few or too many cells, which is not shown to `row`. */
interface TableReader<Column extends string, Item> extends RowReader<Column, Item> {
  misfit: (row: Pick<SourceRecord, 'number'>, detail: string) => Item;
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

/** Waiting for each of many rows costs as much as reading it; those of a batch need no waiting. */

export async function* oneByOne<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

export async function* batchesOfOne<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[], void> {
  for await (const row of rows) yield [row];
}
