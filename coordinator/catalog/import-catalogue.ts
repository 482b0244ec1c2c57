import { bumpDataVersion } from '../platform/db/data-version.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { readTable, requireOnce } from '../platform/read-table.ts';
import { productRow } from './product-row.ts';
import { findSlugOwner, upsertProducts } from './queries.ts';

/**
 * An operator's rows into the catalogue, all or none: new products, or others' figures for known ones. They stay also
 * when a later version of the product brings other figures. Throws one sentence that names row and column.
 */
export async function importCatalogue(context: Context, name: string, content: string): Promise<{ rows: number }> {
  const rows = readTable(name, content, productRow);
  requireOnce(name, rows, ['product_id', 'slug']);
  await context.sql.begin(async (tx) => {
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
