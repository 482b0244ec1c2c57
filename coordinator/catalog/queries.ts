import type { Queryable, Transaction } from '../platform/db/client.ts';
import type { ProductCsvRow } from './product-row.ts';

/** Writes rows of the catalogue. Those that an operator has imported stay where the rows come with the product. */
export async function upsertProducts(
  tx: Transaction,
  rows: readonly ProductCsvRow[],
  origin: 'seed' | 'import',
): Promise<void> {
  await tx`
    insert into product (product_id, slug, name, chip, manufacturer, accelerator_type, form_factor, mem, mem_bus, bus,
      bandwidth, tdp, fp16, msrp, released_date, source, labels, origin)
    select r.product_id, r.slug, r.name, r.chip, r.manufacturer, r.accelerator_type, r.form_factor, r.mem, r.mem_bus,
      r.bus, r.bandwidth, r.tdp, r.fp16, r.msrp, r.released_date, r.source,
      array(select jsonb_array_elements_text(r.labels)), ${origin}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (product_id int4, slug text, name text, chip text,
      manufacturer text, accelerator_type text, form_factor text, mem float8, mem_bus int4, bus text, bandwidth float8,
      tdp float8, fp16 float8, msrp float8, released_date date, source text, labels jsonb)
    on conflict (product_id) do update set slug = excluded.slug, name = excluded.name, chip = excluded.chip,
      manufacturer = excluded.manufacturer, accelerator_type = excluded.accelerator_type,
      form_factor = excluded.form_factor, mem = excluded.mem, mem_bus = excluded.mem_bus, bus = excluded.bus,
      bandwidth = excluded.bandwidth, tdp = excluded.tdp, fp16 = excluded.fp16, msrp = excluded.msrp,
      released_date = excluded.released_date, source = excluded.source, labels = excluded.labels, origin = excluded.origin
    where product.origin = 'seed' or excluded.origin = 'import'`;
}

export async function selectCatalogue(sql: Queryable): Promise<ProductCsvRow[]> {
  return sql<ProductCsvRow[]>`
    select product_id, slug, name, chip, manufacturer, accelerator_type, form_factor, mem, mem_bus, bus, bandwidth, tdp,
      fp16, msrp, released_date::text, source, labels
    from product order by product_id`;
}
