import type { Connector, SourceFile } from '../connector.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { withoutRepeats } from './repeated-prices.ts';
import type { Segment } from '../../market/segments.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { machinePrices } from '../judge-listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { formOfMachine, machineNamed } from './machine-families.ts';

type CloudColumn = 'Cloud' | 'GPU Type' | 'GPUs' | 'GPU RAM' | 'On-demand' | 'Spot' | 'Name';
type ServerlessColumn = 'Vendor' | 'GPU Type' | 'GPUs' | 'GPU RAM' | 'Per-Hour';

const cloudFormat: CsvFormat<CloudColumn> = {
  required: ['Cloud', 'GPU Type', 'GPUs', 'GPU RAM', 'On-demand', 'Spot', 'Name'],
  looks: { GPUs: 'count', 'On-demand': 'number', Spot: 'number' },
};
const serverlessFormat: CsvFormat<ServerlessColumn> = {
  required: ['Vendor', 'GPU Type', 'GPUs', 'GPU RAM', 'Per-Hour'],
  looks: { GPUs: 'count', 'Per-Hour': 'number' },
};

/** Full Stack Deep Learning's table of cloud GPUs; the day is in the file's name. The first edition has `$` in its prices. */
export const fsdlCloud: Connector = {
  name: 'fsdl-cloud',
  title: 'FSDL cloud GPUs',
  kind: 'rental',
  url: null,
  read: (file) => {
    const once = withoutRepeats();
    return readCsv(file, cloudFormat, {
      row: (record) =>
        once(
          handKeptRow(file, {
            record,
            provider: record.cell('Cloud'),
            label: record.cell('GPU Type'),
            gpus: record.cell('GPUs'),
            gpuRam: record.cell('GPU RAM'),
            onDemand: record.cell('On-demand'),
            spot: record.cell('Spot'),
            offer: record.cell('Name'),
          }),
        ),
    });
  },
};

/** The same for platforms that bill by the second of use: a market of its own. */
export const fsdlServerless: Connector = {
  name: 'fsdl-serverless',
  title: 'FSDL serverless GPUs',
  kind: 'rental',
  url: null,
  read: (file) => {
    const once = withoutRepeats();
    return readCsv(file, serverlessFormat, {
      row: (record) =>
        once(
          handKeptRow(file, {
            record,
            provider: record.cell('Vendor'),
            label: record.cell('GPU Type'),
            gpus: record.cell('GPUs'),
            gpuRam: record.cell('GPU RAM'),
            onDemand: record.cell('Per-Hour'),
            spot: '',
            offer: 'serverless',
            segment: 'serverless',
          }),
        ),
    });
  },
};

interface HandKept {
  record: SourceRecord;
  provider: string;
  label: string;
  gpus: string;
  gpuRam: string;
  onDemand: string;
  spot: string;
  offer: string;
  segment?: Segment;
}

/**
 * A row of the hand-maintained tables of Full Stack Deep Learning. Both prices are for the whole machine; the column Per-GPU is
 * not used: for some clouds it leaves out the host, for others it holds the machine's price.
 */
function handKeptRow(file: SourceFile, from: HandKept): ReadRow[] {
  const gpuCount = amountIn(from.gpus) ?? NaN;
  const offer = cloudsOwnName(from.provider, from.offer);
  const machine = {
    label: from.label,
    memoryGb: memoryBeside(from.label, from.gpuRam, gpuCount),
    ...formOfMachine(offer),
    provider: from.provider,
    region: null,
    country: null,
    currency: 'USD',
    gpuCount,
    clusterSize: 1,
    offer: from.offer === '' ? null : offer,
    segment: from.segment ?? null,
    observedAt: file.asOf,
  };
  return machinePrices(from.record, machine, amountIn(from.onDemand), amountIn(from.spot));
}

/**
 * GPU RAM is the machine's total, but one card's for FluidStack and others. So null if the label states the memory:
 * `A100 (80 GB)`, `T4 (16)`; the column is used if it does not, as in `A10`, `3080Ti ()`, `Nvidia A100`.
 */
function memoryBeside(label: string, gpuRam: string, gpuCount: number): number | null {
  if (/\(\s*\d+\s*(?:GB)?\s*\)/i.test(label)) return null;
  const memory = Number(gpuRam.replace(/\s*GB$/i, '')) / gpuCount;
  return memory > 0 && Number.isInteger(memory) ? memory : null;
}

/** Typos in the tables, and the machine types they mean: no machine has the first name. */
const slips: ReadonlyMap<string, string> = new Map([
  // Oracle, eight A100 of 40 GB
  ['BM.GPU.A4.8', 'BM.GPU4.8'],
]);

/** The tables write `NC24ads A100 v4` for Azure's `Standard_NC24ads_A100_v4`. */
function cloudsOwnName(provider: string, offer: string): string {
  const whole = `Standard_${offer.replaceAll(' ', '_')}`;
  return provider === 'Azure' && machineNamed(whole) !== null ? whole : (slips.get(offer) ?? offer);
}
