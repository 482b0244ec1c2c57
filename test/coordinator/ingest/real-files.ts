import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import type { Connector } from '../../../coordinator/ingest/connector.ts';

const each = (start: string, end: string, names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${start}${name}${end}`);

/** Days of OpenRouter's tables. */
const OPENROUTER = `
  2026-07-31 2026-08-01 2026-08-02 2026-08-03 2026-08-04 2026-08-05 2026-08-06 2026-08-07 2026-08-08 2026-08-09
  2026-08-10 2026-08-11 2026-08-12 2026-08-13 2026-08-14 2026-08-15 2026-08-16 2026-08-17 2026-08-18 2026-08-19
  2026-08-20 2026-08-21 2026-08-22`;

/**
 * The publishers' files that tests read, by the connector that reads them, and the only list of them. Each is named: what
 * else comes to lie beside them changes no test.
 */
export const realFiles = {
  ec2instances: ['rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz'],
  'fsdl-cloud': each(
    'rental/fsdl-cloud-gpus/cloud-gpus.',
    '.csv',
    `
      2022-08-04 2022-08-05 2022-08-06 2022-08-08 2022-08-11 2022-08-26 2022-12-12 2023-01-10 2023-02-01 2023-04-13
      2023-05-12 2023-05-20 2023-05-22 2023-05-23 2023-05-24 2023-05-29 2023-06-20 2023-06-22 2023-08-16 2023-10-23
      2023-10-30 2024-02-08 2024-02-14 2024-02-23 2024-02-27 2024-05-07 2024-05-20 2025-02-24 2025-03-07`,
  ),
  'fsdl-serverless': each(
    'rental/fsdl-cloud-gpus/serverless-gpus.',
    '.csv',
    `
      2023-01-10 2023-01-20 2023-02-13 2023-05-12 2023-05-16 2023-05-21 2023-05-22 2023-06-28 2023-07-31 2023-08-16
      2023-10-30 2023-11-24 2024-02-12 2024-03-04 2024-03-18 2024-05-07 2024-05-20`,
  ),
  'gpuhunt-tpu': ['rental/gpuhunt/tpu_pricing.json'],
  'neocloud-daily': ['rental/neocloud-daily/neocloud_daily_median.csv'],
  aggregator: ['rental/observatory/aggregator_observations.2026-02-11.sample.csv'],
  observations: ['rental/observatory/multi_provider_observations.2026-10-10.sample.csv'],
  'cheapest-by-provider': ['rental/observatory/cheapest_by_provider.2026-10-01.jsonl'],
  'prime-intellect': each(
    'rental/primeintellect-summary/',
    '.jsonl.gz',
    'A100_80GB_PCIe A100_80GB_SXM4 B200_180GB GH200_96GB H100_80GB_PCIe H100_80GB_SXM5 H200_141GB',
  ),
  'aws-pricing-page': ['rental/provider-api-samples/aws.ec2-pricing-page.json'],
  'azure-retail': ['rental/provider-api-samples/azure.retail-prices-items.json'],
  'runpod-gpu-types': ['rental/provider-api-samples/runpod.graphql-gpuTypes.json'],
  'vast-bundles': ['rental/provider-api-samples/vast.search-asks.json'],
  skypilot: [
    ...each('rental/skypilot-catalog-v8/', '.vms.sample.csv', 'aws gcp lambda runpod shadeform vast'),
    'rental/skypilot-catalog-v8/verda.vms.csv',
  ],
  'pc-part': [
    ...each('retail/pcpartpicker/video-card.', '.json.gz', '2023-07-05 2023-08-06 2023-09-12 2023-10-21'),
    ...each(
      'retail/pcpartpicker/video-card.',
      '.csv.gz',
      '2023-11-16 2023-12-17 2024-01-20 2024-02-20 2024-03-27 2024-05-14 2025-07-23',
    ),
  ],
  'amazon-buybox': ['retail/amazon-buybox/price_history.csv.gz'],
  'ebay-sold': ['retail/ebay-used/gpu_time_series.sample.csv'],
};

/**
 * More files, in other forms of the publishers. They are apart because the tests that recompute a whole market by hand have
 * `realFiles` alone.
 */
export const moreFiles = {
  ec2instances: ['rental/aws-ec2instances/instances.2017-11-12.json.gz'],
  skypilot: each(
    'rental/skypilot-catalog-v8-2/',
    '.vms.csv',
    'daytona hyperstack jarvislabs lium mithril ovhcloud scaleway yotta',
  ),
  'pc-part': ['retail/pcpartpicker/video-card.2025-07-23.jsonl.gz'],
};
/** The bank's rates end three days later. */
export const dayOfMoreFiles = '2026-04-10';
export const realRates = 'rates/eurofxref-hist.2026-04-13.zip';

/** Those of carbon data, by connector. */
export const moreCarbonFiles = {
  ccf: each('carbon/ccf/grid-emissions-factors-', '.csv', 'aws azure gcp'),
  'epa-zips': each('carbon/egrid/power_profiler_zip_', '.csv.gz', '2021-06 2024-05'),
};
/** The aggregator's whole history, which also has eight providers that our table has not. */
export const aggregatorHistory = 'rental/observatory/aggregator_observations.to-2026-05-08.csv.gz';

/** Of some connectors, or of all but some, in the order of the list. */
export function realFilesOf(
  isWanted: (connector: keyof typeof realFiles) => boolean,
): { connector: Connector; path: string }[] {
  const names = (Object.keys(realFiles) as (keyof typeof realFiles)[]).filter(isWanted);
  return names.flatMap((name) => filesOf(name, realFiles[name]));
}

export const everyMoreFile = (): { connector: Connector; path: string }[] =>
  Object.entries(moreFiles).flatMap(([name, paths]) => filesOf(name, paths));

function filesOf(name: string, paths: readonly string[]): { connector: Connector; path: string }[] {
  const connector = allConnectors.find((one) => one.name === name);
  if (connector === undefined) throw new Error(`no connector ${name}`);
  return paths.map((path) => ({ connector, path }));
}

export const isRetail = (path: string): boolean => path.startsWith('retail/');

/** Those of token prices and usage, by what they are. */
export const realTokenFiles = {
  catalogues: each('tokens/openrouter/', '/models.json.gz', OPENROUTER),
  /** before a model had a permanent slug beside its id, and after */
  olderCatalogues: each('tokens/openrouter-older/models.', '.json.gz', '2024-09-25 2026-05-31'),
  rankings: each('tokens/openrouter/', '/rankings_models_day.json.gz', OPENROUTER),
  litellm: [
    ...each('tokens/litellm/model_prices_and_context_window.', '.json.gz', '2026-01-20 2026-07-24'),
    ...each(
      'tokens/litellm/filtered.model_prices_and_context_window.',
      '.json.gz',
      '2026-02-28 2026-03-30 2026-04-30 2026-05-29 2026-06-30 2026-07-24',
    ),
    ...each(
      'tokens/litellm/tokencost.model_prices.',
      '.json.gz',
      `
        2024-01-30 2024-02-05 2024-03-25 2024-04-22 2024-05-14 2024-06-30 2024-07-25 2024-09-06 2024-10-30 2024-11-22
        2025-01-13 2025-02-19 2025-03-24 2025-05-30 2025-06-29 2025-07-30 2025-08-30 2025-09-01`,
    ),
  ],
  genai: [
    ...each(
      'tokens/genai-prices/v1.data.',
      '.json.gz',
      `
        2025-06-23 2025-07-13 2025-07-31 2025-08-13 2025-08-26 2025-09-10 2025-09-29 2025-10-15 2025-10-27 2025-11-13
        2025-11-27 2025-12-15 2025-12-31 2026-01-13 2026-01-28 2026-02-12 2026-02-25 2026-03-09 2026-03-30 2026-04-08
        2026-04-30 2026-05-14 2026-05-28 2026-06-15 2026-06-30 2026-07-15`,
    ),
    ...each('tokens/genai-prices/v2.data.', '.json.gz', '2026-07-31 2026-08-13 2026-08-21'),
  ],
  modelsDev: ['tokens/models-dev/api.2026-07-27.json.gz'],
  vendors: each(
    'tokens/simonw-llm-prices/',
    '.json',
    'amazon anthropic deepseek google meta-ai minimax mistral moonshot-ai openai qwen xai',
  ),
};
