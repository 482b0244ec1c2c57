import type { Segment } from '../../market/segments.ts';
import type { CsvRow } from '../reading/csv-row.ts';

export type SkypilotColumn =
  | 'InstanceType'
  | 'AcceleratorName'
  | 'AcceleratorCount'
  | 'GpuInfo'
  | 'Price'
  | 'SpotPrice'
  | 'Region'
  | 'AvailabilityZone';

/** How a cloud's file differs from the others. `row` always has an accelerator. */
export interface Cloud {
  label?: (row: CsvRow<SkypilotColumn>) => string | null;
  memoryGb?: (row: CsvRow<SkypilotColumn>, count: number) => number | null;
  country?: (region: string) => string | null;
  segment?: (instanceType: string) => Segment | null;
  /** the file repeats one price list for every region, so the region does not show where the machines are */
  samePricesEverywhere?: true;
  /** the instance types are the names of the clouds behind it, and its own words may be the right ones */
  relaysNames?: true;
  /** Price is the least that the cloud's auction takes, and SpotPrice repeats it while nobody bids more */
  isAuction?: true;
}

const clouds: Record<string, Cloud> = {
  vast: {
    // AcceleratorName turns RTX_4070S_Ti into RTX4070 and H100_NVL into H100; the instance type keeps Vast's own name.
    label: (row) => /^[\d.]+x-(.+)-\d+-\d+$/.exec(row.cell('InstanceType'))?.[1]?.replaceAll('_', ' ') ?? null,
    memoryGb: (row, count) => memoryInGpuInfo(row.cell('GpuInfo'), count),
    country: countryInPlace,
  },
  runpod: {
    label: (row) => nameInGpuInfo(row.cell('GpuInfo')),
    samePricesEverywhere: true,
    // 1x_A100-80GB_SECURE
    segment: (type) => (type.endsWith('_COMMUNITY') ? 'community' : null),
  },
  lambda: { samePricesEverywhere: true },
  // Its minimum_price_cents, which nobody may have paid.
  mithril: { isAuction: true },
  // NVIDIA H100 PCIe beside H100
  scaleway: { label: (row) => nameInGpuInfo(row.cell('GpuInfo')) },
  spheron: { relaysNames: true },
};

const others =
  'aws azure cudo datacrunch daytona do fluidstack gcp hyperbolic hyperstack ibm jarvislabs lium nebius oci ovhcloud ' +
  'paperspace primeintellect scp seeweb shadeform simplepod verda yotta';

export const skypilotClouds: ReadonlySet<string> = new Set([...Object.keys(clouds), ...others.split(' ')]);

export const cloudOf = (provider: string): Cloud => clouds[provider.toLowerCase()] ?? {};

/** "Texas, US, NA" and ", US, NA": the country precedes the continent. */
function countryInPlace(place: string): string | null {
  const country = place.split(',')[1]?.trim() ?? '';
  return /^[A-Z]{2}$/.test(country) ? country : null;
}

/**
 * GB of one accelerator from SkyPilot's GpuInfo, which is a Python dict literal or JSON. `SizeInMiB` is in GB for some clouds;
 * no accelerator has less than 1,024 MiB or more than 1,024 GB, so the size tells the unit. `of` is the accelerator count if
 * the cloud states the machine's total, else 1. Null if not stated.
 */
export function memoryInGpuInfo(text: string, of: number): number | null {
  const size = Number(/['"]SizeInMiB['"]:\s*([\d.]+)/.exec(text)?.[1] ?? NaN) / of;
  if (!(size > 0)) return null;
  return size > 1024 ? Math.round((size / 1024) * 10) / 10 : size;
}

/** The cloud's own name of the accelerator, which may say more than AcceleratorName: `A100 PCIe` for `A100-80GB`. */
const nameInGpuInfo = (text: string): string | null => /['"]Name['"]:\s*['"]([^'"]+)['"]/.exec(text)?.[1] ?? null;
