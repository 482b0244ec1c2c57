import type { Queryable } from '../../platform/db/client.ts';

/** Identifies an offer of a day: a provider's machine in a place, on one term, as one reading of a source has it. */
export interface OfferKey {
  product_id: number;
  price_type: number;
  /** ISO 3166-1 alpha-2, ZZ if not stated */
  country: string;
  provider_id: number;
  /** '' for the standard market */
  segment: string;
  gpu_count: number;
  sized: boolean;
  cluster_size: number;
  region: string | null;
  /** the provider's name for the machine */
  offer: string | null;
  run_id: string;
}

/** What one reading has for an offer on a day. */
export interface OfferRow extends OfferKey {
  source: string;
  /** YYYY-MM-DD of the oldest reading */
  quoted: string;
  /** eight bytes each, big-endian */
  prices: Buffer;
}

/**
 * The offers of a day that can vote, without doubted ones and those of resellers. Prices come as bytes, because sorting
 * or formatting each of them costs more than reading it. `productId` selects one product, `ofSource` one source,
 * `ofRun` one reading; `exceptRun` leaves out those of one reading.
 */
export async function selectOffers(
  sql: Queryable,
  {
    day,
    productId = null,
    exceptRun = null,
    ofSource = null,
    ofRun = null,
  }: {
    day: string;
    productId?: number | null;
    exceptRun?: string | null;
    ofSource?: string | null;
    ofRun?: string | null;
  },
): Promise<OfferRow[]> {
  return sql<OfferRow[]>`
    select o.*, r.source from (
      select product_id, price_type, coalesce(country, 'ZZ') as country, provider_id,
        coalesce(segment, case when gpu_count < 1 then 'fraction' else '' end) as segment, gpu_count, sized,
        cluster_size, region, offer, run_id, min(observed_at)::date::text as quoted,
        string_agg(float8send(price), '') as prices
      from observation
      where observed_at >= ${day}::date and observed_at < ${day}::date + 1 and doubt is null
        ${productId === null ? sql`` : sql`and product_id = ${productId}`}
        ${exceptRun === null ? sql`` : sql`and run_id <> ${exceptRun}`}
        ${ofRun === null ? sql`` : sql`and run_id = ${ofRun}`}
        ${ofSource === null ? sql`` : sql`and run_id in (select id from ingest_run where source = ${ofSource})`}
        and provider_id <> all (array(select provider_id from provider where reseller))
      group by product_id, price_type, coalesce(country, 'ZZ'), provider_id, segment, gpu_count, sized, cluster_size,
        region, offer, run_id
    ) o join ingest_run r on r.id = o.run_id`;
}
