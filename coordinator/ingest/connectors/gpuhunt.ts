import { z } from 'zod';
import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import type { ReadRow } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { providerInName } from '../reading/file-names.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { readCsv, type CsvFormat } from '../reading/read-csv.ts';
import { HeldSpots } from './held-spots.ts';
import { currencyOfList } from './list-currencies.ts';
import { formOfMachine } from './machine-families.ts';
import { tpuSlice } from './tpu-slice.ts';

type Column =
  | 'instance_name'
  | 'location'
  | 'price'
  | 'gpu_count'
  | 'gpu_name'
  | 'gpu_memory'
  | 'spot'
  | 'flags'
  | 'provider_data';

const format: CsvFormat<Column> = {
  required: ['instance_name', 'location', 'price', 'gpu_count', 'gpu_name', 'gpu_memory', 'spot'],
  optional: ['flags', 'provider_data'],
  looks: { price: 'number', gpu_count: 'count' },
};

const providers = new Set(
  (
    'aws azure cloudrift crusoe cudo datacrunch daytona digitalocean gcp hotaisle jarvislabs lambdalabs lium nebius oci ' +
    'runpod seeweb tensordock vastai verda vultr'
  ).split(' '),
);

const providerIn = (name: string): string | null => providerInName(name, providers, 4);

/**
 * The catalogues of dstack's gpuhunt: the seller's price for the whole machine, in its currency, separate rows for on demand and spot, including machines
 * without accelerators. A file holds one provider and does not name it: `--provider`, else the path
 * (`v3/aws/latest/catalog.zip`, `catalog.zip/aws.csv`). A TPU slice is listed as one accelerator with the slice's memory.
 */
export const gpuhunt: Connector = {
  name: 'gpuhunt',
  title: 'dstack gpuhunt catalogue',
  kind: 'rental',
  url: 'https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/{provider}/latest/catalog.zip',
  providerIn,
  read: (file) => {
    const provider = file.provider ?? providerIn(file.name);
    if (provider === null) throw new FormatError(file, null, 'does not say whose prices it holds: name --provider');
    const spots = new HeldSpots();
    return readCsv(file, format, {
      row: (row) => {
        const machine = [row.cell('instance_name'), row.cell('gpu_count'), row.cell('flags')].join(' ');
        return spots.pass({ machine, place: row.cell('location') }, readRow(file, provider, row));
      },
      end: () => spots.end(),
    });
  },
};

function readRow(file: SourceFile, provider: string, row: CsvRow<Column>): ReadRow {
  const offer = row.cell('instance_name');
  const name = row.cell('gpu_name');
  const count = amountIn(row.cell('gpu_count'));
  if (count === 0 || name === '') return refuse(row, 'no-accelerator', offer);
  const price = amountIn(row.cell('price'));
  if (price === null) return refuse(row, 'no-price', offer);
  const slice = tpuSlice(name);
  const gpuCount = slice?.chips ?? count ?? NaN;
  const location = row.cell('location');
  const listing = {
    ...unsaid,
    label: slice?.label ?? name,
    said: name,
    memoryGb: slice === null ? amountIn(row.cell('gpu_memory')) : null,
    ...formOfMachine(offer),
    provider,
    region: location === '' ? null : location,
    country: provider === 'vastai' ? countryBefore(location) : null,
    priceType: row.cell('spot').toLowerCase() === 'true' ? (-1 as const) : (0 as const),
    price: price / gpuCount,
    currency: currencyOfList(provider),
    gpuCount,
    clusterSize: row.cell('flags').includes('runpod-cluster') ? smallestCluster(row.cell('provider_data')) : 1,
    offer,
    isSellersName: true as const,
    observedAt: file.asOf,
  };
  return judgeListing(row, listing, row.cell('price'));
}

/** gpuhunt turns Vast's "Texas, US" into `us-texas`. */
const countryBefore = (location: string): string | null => /^([a-z]{2})-/.exec(location)?.[1]?.toUpperCase() ?? null;

const clusterData = z.object({ pod_counts: z.array(z.number().int().positive()).nonempty() });

/** RunPod rents 2 to 8 machines together at one price per machine; the fewest are taken. NaN if not stated. */
function smallestCluster(text: string): number {
  try {
    const data = clusterData.safeParse(JSON.parse(text));
    return data.success ? Math.min(...data.data.pod_counts) : NaN;
  } catch {
    return NaN;
  }
}
