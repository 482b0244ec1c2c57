import { bumpDataVersion } from '../platform/db/data-version.ts';
import { lockForLong } from '../platform/db/transactions.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { readTable, requireOnce } from '../platform/read-table.ts';
import { productRow, productColumns } from './product-row.ts';
import { findSlugOwner, upsertProducts, selectCatalogue } from './queries.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvRecord } from '../platform/csv.ts';

const seed = join(import.meta.dirname, 'products.csv');

/** Loads the bundled catalogue into the database: all of it at the first start, changed rows at later ones. */
export async function ensureCatalogue(context: Context): Promise<void> {
  const rows = readTable('products.csv', await readFile(seed, 'utf8'), productRow);
  await context.sql.begin(async (tx) => {
    await lockForLong(tx, 'product');
    if ((await upsertProducts(tx, rows, 'seed')) > 0) await bumpDataVersion(tx, 'market');
  });
}

/**
 * Imports an operator's rows into the catalogue, all or none: new products, or different figures for known ones. They are
 * kept even if a later version of the software brings other figures. Throws one sentence that names row and column.
 */
export async function importCatalogue(context: Context, name: string, content: string): Promise<{ rows: number }> {
  const rows = readTable(name, content, productRow);
  requireOnce(name, rows, ['product_id', 'slug']);
  await context.sql.begin(async (tx) => {
    await lockForLong(tx, 'product');
    const owner = await findSlugOwner(tx, rows);
    if (owner) {
      const message = `${name}: slug ${owner.slug} is that of product_id ${owner.product_id}. A slug stays with its id.`;
      throw new DomainError('validation', message);
    }
    await upsertProducts(tx, rows, 'import');
    await bumpDataVersion(tx, 'market');
  });
  return { rows: rows.length };
}

/** The catalogue as CSV, in the form that `importCatalogue` reads. */
export async function exportCatalogue({ sql }: Context): Promise<string> {
  const rows = await selectCatalogue(sql);
  const records = rows.map((row) =>
    productColumns.map((column) => (column === 'labels' ? row.labels.join('|') : row[column])),
  );
  return [productColumns, ...records].map((record) => `${csvRecord(record)}\n`).join('');
}
