import type { SourceFile } from '../connector.ts';
import { refuse, machinePrices } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { RowReader } from '../reading/read-csv.ts';
import { machineNamed } from './machine-families.ts';
import { repeatedPrices } from './repeated-prices.ts';
import type { SkypilotColumn } from './skypilot-clouds.ts';
import { tpuSlice } from './tpu-slice.ts';

/** A machine whose accelerators, or accelerators whose machine, may come later in the file. */
interface Half {
  record: SourceRecord;
  /** instance type, or name of the accelerator */
  name: string;
  count: number;
  region: string;
  zone: string;
  onDemand: number | null;
  spot: number | null;
}

/** Machine types and what SkyPilot calls the accelerators in them. */
const accelerators: [pattern: RegExp, name: string][] = [
  [/^a2-(highgpu|megagpu)-/, 'A100'],
  [/^a2-ultragpu-/, 'A100-80GB'],
  [/^a3-(highgpu|edgegpu)-/, 'H100'],
  [/^a3-megagpu-/, 'H100-MEGA'],
  [/^a3-ultragpu-/, 'H200'],
  [/^a4-highgpu-/, 'B200'],
  [/^g2-standard-/, 'L4'],
];

/**
 * Google's machines with built-in accelerators take two rows: the machine, priced for its processors and memory alone, and
 * the accelerators, without an instance type. The price is the sum of both in one zone. Accelerators for N1 machines of any
 * size belong to no particular machine and are refused, as is one half without the other. All other rows go to `others`.
 */
export function gcpReader(file: SourceFile, others: RowReader<SkypilotColumn>): RowReader<SkypilotColumn> {
  const hosts: Half[] = [];
  const cards: Half[] = [];
  return {
    row: (row) => {
      const type = row.cell('InstanceType');
      const name = row.cell('AcceleratorName');
      const machine = name === '' ? machineNamed(type) : null;
      if (machine !== null) hosts.push(halfIn(row, type, machine.gpuCount));
      else if (type === '' && name !== '' && tpuSlice(name) === null) {
        cards.push(halfIn(row, name, amountIn(row.cell('AcceleratorCount')) ?? NaN));
      } else return others.row(row);
      return [];
    },
    end: () => [...joined(file, hosts, cards)].toSorted((a, b) => a.row - b.row),
  };
}

const halfIn = (row: CsvRow<SkypilotColumn>, name: string, count: number): Half => ({
  record: { number: row.number, text: row.text },
  name,
  count,
  region: row.cell('Region'),
  zone: row.cell('AvailabilityZone'),
  onDemand: amountIn(row.cell('Price')),
  spot: amountIn(row.cell('SpotPrice')),
});

function* joined(file: SourceFile, hosts: readonly Half[], cards: readonly Half[]): Generator<ReadRow> {
  const keyOf = (zone: string, name: string, count: number): string => `${zone} ${name} ${count}`;
  const byPlace = new Map(cards.map((card) => [keyOf(card.zone, card.name, card.count), card]));
  const used = new Set<Half>();
  const isRepeated = repeatedPrices();
  for (const host of hosts) {
    const name = accelerators.find(([pattern]) => pattern.test(host.name))?.[1] ?? '';
    const card = byPlace.get(keyOf(host.zone, name, host.count));
    if (card === undefined) {
      yield refuse(host.record, 'host-only', `${host.name} ${host.zone}`);
      continue;
    }
    used.add(card);
    for (const read of sumOf(file, host, card)) {
      const again =
        'listing' in read &&
        isRepeated(host.name, host.region, String(read.listing.priceType), String(read.listing.price));
      yield again ? refuse(host.record, 'same-in-every-zone', `${host.name} ${host.zone}`) : read;
    }
  }
  for (const card of cards) {
    if (!used.has(card)) yield refuse(card.record, 'without-host', `${card.count} ${card.name} ${card.zone}`);
  }
}

function sumOf(file: SourceFile, host: Half, card: Half): ReadRow[] {
  const machine = machineNamed(host.name);
  if (machine === null) return [];
  const { label, memoryGb, formFactor, gpuCount } = machine;
  const offer = {
    label,
    said: card.name,
    isByMachine: true,
    memoryGb,
    formFactor,
    gpuCount,
    provider: file.provider ?? 'gcp',
    region: host.region,
    country: null,
    currency: 'USD',
    clusterSize: 1,
    offer: host.name,
    observedAt: file.asOf,
  };
  return machinePrices(host.record, offer, plus(host.onDemand, card.onDemand), spotOf(host.spot, card.spot));
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
/** 0 means unknown: if either price is unknown, so is the sum. */
const spotOf = (a: number | null, b: number | null): number | null => (a === 0 || b === 0 ? 0 : plus(a, b));
