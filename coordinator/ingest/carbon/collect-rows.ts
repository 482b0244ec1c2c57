import { FormatError } from '../connector.ts';
import { type CsvFormat, readCsvItems } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { Tally } from '../tally.ts';
import type { CarbonFile, CarbonRefusal } from './carbon-connector.ts';
import { MOST_GRAMS } from '../../carbon/factors/factor.ts';
import { amountIn } from '../reading/cell-values.ts';

/** A row that is not kept, and why. */
export class Misfit {
  readonly refusal: CarbonRefusal;
  readonly detail: string;

  constructor(refusal: CarbonRefusal, detail = '') {
    this.refusal = refusal;
    this.detail = detail;
  }
}

export interface Collected<T> {
  values: T[];
  tally: Tally<CarbonRefusal>;
}

/** Most rows kept of one file: an hourly table of 22 zones over a year. Every process holds all of them in memory. */
const MOST_KEPT = 200_000;

interface Row<T> {
  row: number;
  made: T | Misfit;
}

/** What `make` makes of the rows of a CSV file. @throws FormatError: another format, or too many rows to keep */
export async function collectCsv<Column extends string, T extends object>(
  file: CarbonFile,
  format: CsvFormat<Column>,
  make: (row: CsvRow<Column>) => T | Misfit,
): Promise<Collected<T>> {
  return collectRows(
    file,
    readCsvItems<Column, Row<T>>(file, format, {
      row: (row) => [{ row: row.number, made: make(row) }],
      misfit: ({ number: row }, detail) => ({ row, made: new Misfit('cells-missing', detail) }),
    }),
  );
}

export async function collectRows<T extends object>(
  file: Pick<CarbonFile, 'name'>,
  batches: AsyncIterable<readonly Row<T>[]> | Iterable<readonly Row<T>[]>,
): Promise<Collected<T>> {
  const values: T[] = [];
  const tally = new Tally<CarbonRefusal>();
  for await (const batch of batches) {
    for (const { row, made } of batch) {
      tally.rowsRead += 1;
      if (made instanceof Misfit) tally.refuse(made.refusal, row, made.detail);
      else values.push(made);
    }
    if (values.length > MOST_KEPT)
      throw new FormatError(file, null, `has more than ${MOST_KEPT} rows to keep; load a part of it`);
  }
  return { values, tally };
}

/** The figure of a cell in g/kWh; `scale` is the publisher's unit in g/kWh. */
export function rateIn(cell: string, scale = 1): number | Misfit {
  const amount = amountIn(cell);
  if (amount === null) return new Misfit('no-figure', cell);
  const grams = amount * scale;
  return grams >= 0 && grams <= MOST_GRAMS ? grams : new Misfit('bad-value', cell);
}
