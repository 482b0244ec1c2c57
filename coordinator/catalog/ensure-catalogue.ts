import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import type { Context } from '../platform/context.ts';
import { productRow } from './product-row.ts';
import { upsertProducts } from './queries.ts';
import { readTable } from '../platform/read-table.ts';

const seed = join(import.meta.dirname, 'products.csv');

/** The catalogue that comes with the product, in the database: all of it at the first start, what has changed at later ones. */
export async function ensureCatalogue(context: Context): Promise<void> {
  const rows = readTable('products.csv', await readFile(seed, 'utf8'), productRow);
  await context.sql.begin(async (tx) => {
    if ((await upsertProducts(tx, rows, 'seed')) > 0) await bumpDataVersion(tx, 'market');
  });
}
