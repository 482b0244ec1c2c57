import type { SourceFile } from '../connector.ts';
import type { ReadRow } from '../listing.ts';
import { machinePrices } from '../machine-prices.ts';
import { amountIn } from '../reading/amount-in.ts';
import { machineNamed } from './machine-families.ts';

export interface HandKept {
  row: number;
  provider: string;
  label: string;
  gpus: string;
  gpuRam: string;
  onDemand: string;
  spot: string;
  offer: string;
}

/**
 * A row of the tables that Full Stack Deep Learning kept by hand. Both prices are for the whole machine; the column Per-GPU is
 * not used: it leaves the host out for some clouds, and for others it holds the machine's price.
 */
export function handKeptRow(file: SourceFile, from: HandKept): ReadRow[] {
  const gpuCount = amountIn(from.gpus) ?? NaN;
  const machine = {
    label: from.label,
    memoryGb: memoryBeside(from.label, from.gpuRam, gpuCount),
    formFactor: machineNamed(cloudsOwnName(from.provider, from.offer))?.formFactor ?? null,
    provider: from.provider,
    region: null,
    country: null,
    currency: 'USD',
    gpuCount,
    clusterSize: 1,
    offer: from.offer === '' ? null : from.offer,
    observedAt: file.asOf,
  };
  return machinePrices(from.row, machine, amountIn(from.onDemand), amountIn(from.spot));
}

/**
 * GPU RAM is the machine's total, but one card's for FluidStack and others. So the label goes first: `A100 (80 GB)`,
 * `T4 (16)`; the column is asked where the label has none, as in `A10`, `3080Ti ()`, `Nvidia A100`.
 */
function memoryBeside(label: string, gpuRam: string, gpuCount: number): number | null {
  if (/\(\s*\d+\s*(?:GB)?\s*\)/i.test(label)) return null;
  const memory = Number(gpuRam.replace(/\s*GB$/i, '')) / gpuCount;
  return memory > 0 && Number.isInteger(memory) ? memory : null;
}

/** The table writes `NC24ads A100 v4` for Azure's `Standard_NC24ads_A100_v4`. */
const cloudsOwnName = (provider: string, offer: string): string =>
  provider === 'Azure' ? `Standard_${offer.replaceAll(' ', '_')}` : offer;
