import { type CsvFormat, readCsvItems } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { TokenFile, TokenRow } from './token-connector.ts';

/** The rows of a CSV file in one of our own formats. @throws FormatError: columns missing, empty */
export async function csvRows<Column extends string>(
  file: TokenFile,
  format: CsvFormat<Column>,
  make: (row: CsvRow<Column>) => TokenRow,
): Promise<TokenRow[]> {
  const rows: TokenRow[] = [];
  for await (const batch of readCsvItems<Column, TokenRow>(file, format, {
    row: (row) => [make(row)],
    misfit: ({ number: row }, detail) => ({ row, refused: 'cells-missing', detail }),
  }))
    rows.push(...batch);
  return rows;
}
