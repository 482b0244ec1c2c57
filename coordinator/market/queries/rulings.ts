import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

export async function selectRulingKey(
  sql: Queryable,
  { provider, product }: { provider: string; product: string },
): Promise<{ provider_id: number | null; product_id: number | null }> {
  return one(
    await sql<{ provider_id: number | null; product_id: number | null }[]>`
    select (select provider_id from provider where slug = ${provider}) as provider_id,
      (select product_id from product where slug = ${product} or product_id::text = ${product}
        order by slug = ${product} desc limit 1) as product_id`,
  );
}

export async function insertRuling(
  tx: Transaction,
  ruling: {
    provider_id: number;
    product_id: number;
    price_type: number;
    first_day: string;
    last_day: string | null;
    reason: string;
    made_at: Date;
  },
): Promise<string> {
  return one(await tx<{ id: string }[]>`insert into vote_ruling ${tx(ruling)} returning id`).id;
}

export async function deleteRuling(
  tx: Transaction,
  id: string,
): Promise<{ first_day: string; last_day: string | null } | null> {
  const deleted = await tx<{ first_day: string; last_day: string | null }[]>`
    delete from vote_ruling where id = ${id} returning first_day::text, last_day::text`;
  return maybeOne(deleted) ?? null;
}

export interface RulingInWords {
  id: string;
  provider: string;
  product: string;
  price_type: number;
  first_day: string;
  last_day: string | null;
  reason: string;
  made_at: Date;
}

export const selectRulingsInWords = (sql: Queryable): Promise<RulingInWords[]> => sql<RulingInWords[]>`
  select r.id, s.slug as provider, p.slug as product, r.price_type, r.first_day::text, r.last_day::text, r.reason, r.made_at
  from vote_ruling r join provider s using (provider_id) join product p using (product_id) order by r.id`;
