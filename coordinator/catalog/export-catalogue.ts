import type { Context } from '../platform/context.ts';
import { csvRecord } from '../platform/csv.ts';
import { productColumns } from './product-row.ts';
import { selectCatalogue } from './queries.ts';

/** The catalogue as CSV, in the form that `importCatalogue` reads. */
export async function exportCatalogue({ sql }: Context): Promise<string> {
  const rows = await selectCatalogue(sql);
  const records = rows.map((row) =>
    productColumns.map((column) => (column === 'labels' ? row.labels.join('|') : row[column])),
  );
  return [productColumns, ...records].map((record) => `${csvRecord(record)}\n`).join('');
}
