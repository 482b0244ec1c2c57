import type { Queryable } from '../../platform/db/client.ts';

export interface RestatementRow {
  id: string;
  at: Date;
  day: string;
  product_id: number;
  slug: string;
  price_type: number;
  /** '' over all */
  countries: string[];
  before: number | null;
  after: number | null;
  reason: string;
  /** source of the reading that caused it */
  source: string | null;
}

interface WantedRestatements {
  productId: number | null;
  from: string | null;
  to: string | null;
  since: Date | null;
  /** only rows with a lower id */
  before: string | null;
}

/** Restatements, the newest first. */
export const selectRestatements = (
  sql: Queryable,
  { productId, from, to, since, before }: WantedRestatements,
  limit: number,
): Promise<RestatementRow[]> => sql<RestatementRow[]>`
  select r.id, r.at, r.day::text, r.product_id, p.slug, r.price_type, r.countries, r.before, r.after, r.reason, i.source
  from restatement r join product p using (product_id) left join ingest_run i on i.id = r.run_id
  where (${productId}::int4 is null or r.product_id = ${productId})
    and (${from}::date is null or r.day >= ${from}) and (${to}::date is null or r.day <= ${to})
    and (${since}::timestamptz is null or r.at >= ${since}) and (${before}::int8 is null or r.id < ${before})
  order by r.id desc limit ${limit}`;
