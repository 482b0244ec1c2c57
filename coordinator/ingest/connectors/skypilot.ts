import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { refuse, machinePrices, type MachineOffer } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { type CsvFormat, readCsv, type RowReader } from '../reading/read-csv.ts';
import { providerInName } from '../reading/file-names.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { memoryInGpuInfo, cloudOf, skypilotClouds, type Cloud, type SkypilotColumn } from './skypilot-clouds.ts';
import { HeldSpots } from './held-spots.ts';
import { currencyOfList } from './list-currencies.ts';
import { formOfMachine } from './machine-families.ts';
import { gcpReader } from './skypilot-gcp.ts';
import { repeatedPrices } from './repeated-prices.ts';
import { tpuSlice } from './tpu-slice.ts';

const format: CsvFormat<SkypilotColumn> = {
  required: ['InstanceType', 'AcceleratorName', 'AcceleratorCount', 'GpuInfo', 'Price', 'SpotPrice', 'Region'],
  optional: ['AvailabilityZone'],
  looks: { Price: 'number', SpotPrice: 'number', AcceleratorCount: 'count' },
};

/** SkyPilot's placeholder for the unknown price of a v6e slice: above all known ones, so that SkyPilot chooses it last. */
const UNKNOWN_TPU_PRICE = 700;

const providerIn = (name: string): string | null => providerInName(name, skypilotClouds, 1);

/**
 * A file of SkyPilot's catalogue: the seller's price for the whole machine, on demand and spot in one row, in the seller's
 * currency. Column order differs between clouds, so columns are read by name. The cloud: `--provider`, else the path (`aws.vms.csv`, `v8/aws/vms.csv`).
 */
export const skypilot: Connector = {
  name: 'skypilot',
  title: 'SkyPilot catalogue',
  kind: 'rental',
  url: 'https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8/{provider}/vms.csv',
  providerIn,
  read: (file) => {
    const provider = file.provider ?? providerIn(file.name);
    if (provider === null) throw new FormatError(file, null, 'does not say of which cloud it is: name --provider');
    const plain = cloudReader(file, provider, cloudOf(provider));
    return readCsv(file, format, holdingSpots(provider.toLowerCase() === 'gcp' ? gcpReader(file, plain) : plain));
  },
};

/** Holds spot prices back until after all others, when the on-demand prices of every place are known. */
function holdingSpots(reader: RowReader<SkypilotColumn>): RowReader<SkypilotColumn> {
  const spots = new HeldSpots();
  const pass = (reads: readonly ReadRow[], zone: string): ReadRow[] =>
    reads.flatMap((read) => {
      const { offer, gpuCount, region } = 'listing' in read ? read.listing : nothing;
      return spots.pass({ machine: `${gpuCount}x ${offer}`, place: `${region} ${zone}` }, read);
    });
  return {
    row: (row) => pass(reader.row(row), row.cell('AvailabilityZone')),
    end: () => [...pass(reader.end?.() ?? [], ''), ...spots.end()],
  };
}

const nothing = { offer: '', gpuCount: 0, region: '' };

function cloudReader(file: SourceFile, provider: string, cloud: Cloud): RowReader<SkypilotColumn> {
  const isRepeated = repeatedPrices();
  return {
    row: (row) => {
      const read = machineRows(file, provider, cloud, row);
      const offer = row.cell('InstanceType') || row.cell('AcceleratorName');
      if (cloud.samePricesEverywhere) {
        const again =
          isRepeated(offer, row.cell('Price'), row.cell('SpotPrice')) && read.some((one) => 'listing' in one);
        return again ? [refuse(row, 'same-in-every-region', `${offer} ${row.cell('Region')}`)] : read;
      }
      if (row.cell('AvailabilityZone') === '') return read;
      return read.map((one) => {
        if (!('listing' in one)) return one;
        const { priceType, price, region } = one.listing;
        const again = isRepeated(offer, region ?? '', String(priceType), String(price));
        return again ? refuse(row, 'same-in-every-zone', `${offer} ${row.cell('AvailabilityZone')}`) : one;
      });
    },
  };
}

function machineRows(
  file: SourceFile,
  provider: string,
  cloud: Cloud,
  row: CsvRow<SkypilotColumn>,
): readonly ReadRow[] {
  const type = row.cell('InstanceType');
  const name = row.cell('AcceleratorName');
  if (name === '') return [refuse(row, 'no-accelerator', type)];
  const onDemand = amountIn(row.cell('Price'));
  const slice = tpuSlice(name);
  if (slice !== null && onDemand === UNKNOWN_TPU_PRICE) return [refuse(row, 'placeholder', `${name} ${onDemand}`)];
  const count = amountIn(row.cell('AcceleratorCount')) ?? NaN;
  const region = row.cell('Region');
  const machine = {
    label: slice?.label ?? cloud.label?.(row) ?? name,
    said: name,
    memoryGb: (cloud.memoryGb ?? memoryOfOne)(row, count),
    ...formOfMachine(type),
    provider,
    region: cloud.samePricesEverywhere || region === '' ? null : region,
    country: cloud.country?.(region) ?? null,
    segment: cloud.segment?.(type) ?? null,
    currency: currencyOfList(provider),
    gpuCount: slice === null ? count : count * slice.chips,
    clusterSize: 1,
    offer: type || name,
    ...(type === '' || cloud.relaysNames ? {} : { isSellersName: true as const }),
    observedAt: file.asOf,
  };
  const spot = amountIn(row.cell('SpotPrice'));
  return cloud.isAuction ? auctionPrices(row, machine, onDemand, spot) : machinePrices(row, machine, onDemand, spot);
}

/** An auction has no price on demand. Its spot price is one that is paid only if it is above the least that is taken. */
function auctionPrices(
  row: SourceRecord,
  machine: MachineOffer,
  floor: number | null,
  spot: number | null,
): readonly ReadRow[] {
  const detail = (price: number): string => `${machine.offer ?? machine.label} ${price}`;
  const ofFloor = floor === null ? [] : [refuse(row, 'auction-floor', detail(floor))];
  if (spot !== null && floor !== null && spot <= floor) return [...ofFloor, refuse(row, 'auction-floor', detail(spot))];
  return spot === null && floor !== null ? ofFloor : [...ofFloor, ...machinePrices(row, machine, null, spot)];
}

const memoryOfOne = (row: CsvRow<SkypilotColumn>): number | null => memoryInGpuInfo(row.cell('GpuInfo'), 1);
