import { bumpMarket } from '../market/bump-market.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { readTable } from '../platform/read-table.ts';
import { productRow } from './product-row.ts';
import { upsertProducts } from './queries.ts';

/**
 * An operator's rows into the catalogue, all or none: new products, or others' figures for known ones. They stay also
 * when a later version of the product brings other figures. Throws one sentence that names row and column.
 */
export async function importCatalogue(context: Context, name: string, content: string): Promise<{ rows: number }> {
  const rows = readTable(name, content, productRow);
  for (const column of ['product_id', 'slug'] as const) {
    const seen = new Set<string | number>();
    for (const row of rows) {
      if (seen.has(row[column]))
        throw new DomainError('validation', `${name}: ${column} ${row[column]} stands in it twice.`);
      seen.add(row[column]);
    }
  }
  await context.sql.begin(async (tx) => {
    await upsertProducts(tx, rows, 'import');
    await bumpMarket(tx);
  });
  return { rows: rows.length };
}
