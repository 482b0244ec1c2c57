import { readdirSync } from 'node:fs';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { readShared, sharedPath } from '../../coordinator/ingest/read-source.ts';

/** The publishers' rental files that each connector reads. */
const files: Readonly<Record<string, RegExp>> = {
  ec2instances: /^aws-ec2instances\/.*\.json\.gz$/,
  'fsdl-cloud': /^fsdl-cloud-gpus\/cloud-gpus\./,
  'gpuhunt-tpu': /^gpuhunt\/tpu_pricing\.json$/,
  'neocloud-daily': /^neocloud-daily\/.*\.csv$/,
  aggregator: /^observatory\/aggregator_/,
  'cheapest-by-provider': /^observatory\/cheapest_/,
  observations: /^observatory\/multi_provider_/,
  'prime-intellect': /^primeintellect-summary\/.*\.jsonl\.gz$/,
  'azure-retail': /^provider-api-samples\/azure/,
  'runpod-gpu-types': /^provider-api-samples\/runpod/,
  'vast-bundles': /^provider-api-samples\/vast/,
  skypilot: /^skypilot-catalog-v8\/.*\.csv$/,
};

/**
 * Every price of every rental file as its connector reads it: real combinations of label, provider, term, region, count
 * and price, each as often as it was published.
 */
export async function realListings(): Promise<Listing[]> {
  const paths = readdirSync(sharedPath('rental'), { recursive: true, encoding: 'utf8' }).toSorted();
  const listings: Listing[] = [];
  for (const connector of allConnectors) {
    const pattern = files[connector.name];
    if (pattern === undefined) continue;
    for (const path of paths.filter((name) => pattern.test(name)))
      listings.push(...(await readShared(connector, `rental/${path}`)).listings);
  }
  return listings;
}
