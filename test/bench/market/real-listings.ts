import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { readShared } from '../../coordinator/ingest/read-source.ts';
import { isRetail, realFilesOf } from '../../coordinator/ingest/real-files.ts';

/**
 * Every price of every rental file as its connector reads it: real combinations of label, provider, term, region, count
 * and price, each as often as it was published.
 */
export async function realListings(): Promise<Listing[]> {
  const listings: Listing[] = [];
  for (const { connector, path } of realFilesOf(() => true))
    if (!isRetail(path)) listings.push(...(await readShared(connector, path)).listings);
  return listings;
}
