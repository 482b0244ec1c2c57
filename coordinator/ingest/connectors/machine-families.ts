import type { Listing } from '../listing.ts';
import { awsMachines } from './machines/aws-machines.ts';
import { azureMachines } from './machines/azure-machines.ts';
import { gcpMachines } from './machines/gcp-machines.ts';
import type { MachineSeries } from './machines/machine-series.ts';
import { ociMachines } from './machines/oci-machines.ts';

/** The accelerators of a machine type, as its cloud publishes them. */
interface Machine extends Omit<MachineSeries, 'types'> {
  /** 0.125 is an eighth of one */
  gpuCount: number;
}

/**
 * What a machine type of AWS (`p5.48xlarge`), Azure (`Standard_NC24ads_A100_v4`), Google (`a2-highgpu-8g`) or Oracle
 * (`BM.GPU4.8`) holds; null if the name is not one of their types, or is unknown to us. Names must be complete and in the
 * cloud's spelling.
 */
export const machineNamed = (name: string): Machine | null => machines.get(name) ?? null;

/** The form factor of an offer that is such a type, for sources that name the accelerator without its form factor. */
export function formOfMachine(offer: string): Pick<Listing, 'formFactor' | 'isByMachine'> {
  const formFactor = machines.get(offer)?.formFactor ?? null;
  return { formFactor, isByMachine: formFactor !== null };
}

const machines = new Map<string, Machine>();
for (const { types, ...accelerator } of [...awsMachines, ...azureMachines, ...gcpMachines, ...ociMachines]) {
  for (const [gpuCount, names] of types) {
    for (const name of names.split(' ')) machines.set(name, { ...accelerator, gpuCount });
  }
}
