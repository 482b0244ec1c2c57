import type { Queryable, Transaction } from '../platform/db/client.ts';
import { maybeOne } from '../platform/db/rows.ts';
import type { ProductCsvRow } from './product-row.ts';

/**
 * Upserts rows of the catalogue and returns how many changed. Bundled rows do not overwrite those that an operator has
 * imported. A row without an architecture, as in files older than that column, keeps the stored one.
 */
export async function upsertProducts(
  tx: Transaction,
  rows: readonly ProductCsvRow[],
  origin: 'seed' | 'import',
): Promise<number> {
  const written = await tx`
    insert into product (product_id, slug, name, chip, architecture, manufacturer, accelerator_type, form_factor, mem, mem_bus, bus,
      bandwidth, tdp, fp16, msrp, released_date, source, labels, origin)
    select r.product_id, r.slug, r.name, r.chip, r.architecture, r.manufacturer, r.accelerator_type, r.form_factor, r.mem, r.mem_bus,
      r.bus, r.bandwidth, r.tdp, r.fp16, r.msrp, r.released_date, r.source,
      array(select jsonb_array_elements_text(r.labels)), ${origin}
    from jsonb_to_recordset(${tx.json(rows)}) as r (product_id int4, slug text, name text, chip text,
      architecture text, manufacturer text, accelerator_type text, form_factor text, mem float8, mem_bus int4, bus text, bandwidth float8,
      tdp float8, fp16 float8, msrp float8, released_date date, source text, labels jsonb)
    on conflict (product_id) do update set slug = excluded.slug, name = excluded.name, chip = excluded.chip,
      architecture = coalesce(excluded.architecture, product.architecture),
      manufacturer = excluded.manufacturer, accelerator_type = excluded.accelerator_type,
      form_factor = excluded.form_factor, mem = excluded.mem, mem_bus = excluded.mem_bus, bus = excluded.bus,
      bandwidth = excluded.bandwidth, tdp = excluded.tdp, fp16 = excluded.fp16, msrp = excluded.msrp,
      released_date = excluded.released_date, source = excluded.source, labels = excluded.labels, origin = excluded.origin
    where (product.origin = 'seed' or excluded.origin = 'import') and to_jsonb(product) - 'origin' is distinct from to_jsonb(excluded) - 'origin'`;
  return written.count;
}

/** A product that has one of these slugs under another id; null if there is none. */
export async function findSlugOwner(
  tx: Transaction,
  rows: readonly Pick<ProductCsvRow, 'product_id' | 'slug'>[],
): Promise<{ product_id: number; slug: string } | null> {
  const owner = maybeOne(
    await tx<{ product_id: number; slug: string }[]>`
    select p.product_id, p.slug from product p
    join unnest(${rows.map(({ product_id }) => product_id)}::int4[], ${rows.map(({ slug }) => slug)}::text[])
      as given (product_id, slug) on given.slug = p.slug and given.product_id <> p.product_id
    order by p.slug limit 1`,
  );
  return owner ?? null;
}

export async function selectCatalogue(sql: Queryable): Promise<ProductCsvRow[]> {
  return sql<ProductCsvRow[]>`
    select product_id, slug, name, chip, architecture, manufacturer, accelerator_type, form_factor, mem, mem_bus, bus, bandwidth, tdp,
      fp16, msrp, released_date::text, source, labels
    from product order by product_id`;
}
