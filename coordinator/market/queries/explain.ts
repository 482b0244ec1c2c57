import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { Explanation } from '../explain-price.ts';
import type { PriceRow } from './prices.ts';

export interface ExplainedVote {
  price_type: number;
  country: string;
  provider: string;
  price: number;
  observations: number;
  outlier: boolean;
}

export interface ExplainedObservation {
  price_type: number;
  provider: string;
  reseller: boolean;
  country: string | null;
  region: string | null;
  price: number;
  original_price: number;
  currency: string;
  gpu_count: number;
  offer: string | null;
  source: string;
  origin: string;
  observed_at: Date;
}

/** Null: no such product. Prices, the votes they are the mean of, and what was observed. */
export async function selectExplained(sql: Queryable, slugOrId: string, day: string): Promise<Explanation | null> {
  const product = maybeOne(
    await sql<{ product_id: number; slug: string; name: string }[]>`
    select product_id, slug, name from product where slug = ${slugOrId} or product_id::text = ${slugOrId}
    order by slug = ${slugOrId} desc limit 1`,
  );
  if (!product) return null;
  const [prices, votes, observations] = await Promise.all([
    sql<PriceRow[]>`
      select product_id, price_type, country, day::text, price, price_median, provider_count, sample_size
      from daily_price where product_id = ${product.product_id} and day = ${day} order by price_type, country`,
    sql<ExplainedVote[]>`
      select v.price_type, v.country, p.name as provider, v.price, v.observations, v.outlier
      from provider_price v join provider p using (provider_id)
      where v.product_id = ${product.product_id} and v.day = ${day} order by v.price_type, v.country, v.price`,
    sql<ExplainedObservation[]>`
      select o.price_type, p.name as provider, p.reseller, o.country, o.region, o.price, o.original_price, o.currency,
        o.gpu_count, o.offer, r.source, r.origin, o.observed_at
      from observation o join provider p using (provider_id) join ingest_run r on r.id = o.run_id
      where o.product_id = ${product.product_id} and o.observed_at >= ${day}::date and o.observed_at < ${day}::date + 1
      order by o.price_type, p.name, o.price`,
  ]);
  return { product, prices, votes, observations };
}
