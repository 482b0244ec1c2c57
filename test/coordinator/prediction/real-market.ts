import { readdirSync } from 'node:fs';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { sharedPath } from '../ingest/read-source.ts';
import { marketApp, type MarketApp } from '../market/filled-market.ts';

interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

const under = (folder: string, pattern: RegExp): string[] =>
  readdirSync(sharedPath(folder))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`);

/** Files of rental prices by the connector that reads them; those that hold no day are of the day their collection says. */
const files = (): [connector: string, path: string][] => [
  ['ec2instances', 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz'],
  ...under('rental/fsdl-cloud-gpus', /^cloud-gpus/).map((path): [string, string] => ['fsdl-cloud', path]),
  ['neocloud-daily', 'rental/neocloud-daily/neocloud_daily_median.csv'],
  ['aggregator', 'rental/observatory/aggregator_observations.2026-02-11.sample.csv'],
  ['observations', 'rental/observatory/multi_provider_observations.2026-10-10.sample.csv'],
  ['cheapest-by-provider', 'rental/observatory/cheapest_by_provider.2026-10-01.jsonl'],
  ...under('rental/primeintellect-summary', /\.jsonl\.gz$/).map((path): [string, string] => ['prime-intellect', path]),
  ['aws-pricing-page', 'rental/provider-api-samples/aws.ec2-pricing-page.json'],
  ['azure-retail', 'rental/provider-api-samples/azure.retail-prices-items.json'],
  ['runpod-gpu-types', 'rental/provider-api-samples/runpod.graphql-gpuTypes.json'],
  ['vast-bundles', 'rental/provider-api-samples/vast.search-asks.json'],
  ...under('rental/skypilot-catalog-v8', /\.csv$/).map((path): [string, string] => ['skypilot', path]),
  ['gpuhunt-tpu', 'rental/gpuhunt/tpu_pricing.json'],
];

/** The coordinator with every real file of rental prices in it, and somebody of the tier that may predict. */
export async function realMarket(lifetime: Lifetime): Promise<MarketApp> {
  const market = await marketApp(lifetime, { now: new Date('2026-11-23T08:00:00Z') }, { tier: 'plus' });
  for (const [name, path] of files()) {
    const connector = allConnectors.find((one) => one.name === name);
    if (connector === undefined) throw new Error(`no connector ${name}`);
    const asOf = /\d{4}-\d{2}-\d{2}/.test(path) ? {} : { asOf: '2026-10-10' };
    await market.ingest(connector, sharedPath(path), { ...asOf, acceptCoverageDrop: true });
  }
  return market;
}
