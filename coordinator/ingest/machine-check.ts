import type { Reference } from '../market/ingestion/load-reference.ts';
import { machineNamed } from './connectors/machine-families.ts';

/** Of a machine's type, as its cloud publishes it. */
interface KnownMachine {
  /** null: not in the catalogue */
  productId: number | null;
  gpuCount: number;
}

/**
 * Whether an offer is a machine's type that holds other accelerators, or another number of them, than is said of it.
 * False for offers that are no such types.
 */
export function machineCheck({ product }: Reference): (offer: string, productId: number, gpuCount: number) => boolean {
  const known = new Map<string, KnownMachine | null>();
  const read = (offer: string): KnownMachine | null => {
    const machine = machineNamed(offer);
    if (machine === null) return null;
    const match = product(machine);
    return { productId: match.kind === 'product' ? match.product_id : null, gpuCount: machine.gpuCount };
  };
  return (offer, productId, gpuCount) => {
    let machine = known.get(offer);
    if (machine === undefined) {
      machine = read(offer);
      if (machine !== null) known.set(offer, machine);
    }
    if (machine === null) return false;
    return (
      (machine.productId !== null && machine.productId !== productId) || Math.abs(machine.gpuCount - gpuCount) > 0.01
    );
  };
}
