import type { Match } from '../market/identity/match-product.ts';
import type { Reference } from '../market/ingestion/load-reference.ts';
import { machineNamed } from './connectors/machine-families.ts';
import { saidByName, type NamedMachine } from './connectors/machine-names.ts';
import type { Listing } from './listing.ts';

/** What the name of a machine says of its accelerators. */
export interface KnownMachine {
  /** slugs of the products that it can hold; null if its words for them are unknown */
  possible: readonly string[] | null;
  /** null if the name does not say */
  gpuCount: number | null;
  /** the words of the name; null for a machine type that is known by our table and not by its name */
  named: NamedMachine | null;
}

type Products = Pick<Reference, 'product' | 'productSlug'>;

/**
 * What is known of a machine by its name: by the table of machine types of the large clouds, else by what the seller (a slug)
 * writes into the name. Null for a name that says nothing.
 */
export function machineReader(reference: Products): (seller: string, offer: string | null) => KnownMachine | null {
  const types = new Map<string, KnownMachine>();
  return (seller, offer) => {
    if (offer === null) return null;
    const known = types.get(offer);
    if (known !== undefined) return known;
    const type = machineNamed(offer);
    if (type !== null) {
      const machine = { possible: productsOf(type, reference), gpuCount: type.gpuCount, named: null };
      types.set(offer, machine);
      return machine;
    }
    const named = saidByName(seller, offer);
    if (named === null) return null;
    const { label, memoryGb, formFactor } = named;
    const possible = label === null ? null : productsOf({ label, memoryGb, formFactor }, reference);
    return { possible, gpuCount: named.gpuCount, named };
  };
}

/** Slugs of the products that words can mean; null if there are unknown words among them, or they contradict each other. */
function productsOf(
  words: Pick<Listing, 'label' | 'memoryGb' | 'formFactor'>,
  { product, productSlug }: Products,
): readonly string[] | null {
  const match = product(words);
  if (match.kind === 'product') return [productSlug.get(match.product_id) ?? ''];
  return match.reason === 'ambiguous' ? match.candidates : null;
}

/**
 * The product by the seller's own name of the machine, where the words beside it leave the product open or name another one.
 * What the name does not say (memory, form factor) is taken from the words. Null if the words stand.
 */
export function decidedByName(
  said: Match,
  words: Pick<Listing, 'memoryGb' | 'formFactor'>,
  { machine, reference }: { machine: KnownMachine; reference: Products },
): Match | null {
  const { possible, named } = machine;
  // Unknown words may restrict what is sold to a part of the accelerator.
  if (possible === null || !named?.label || (said.kind === 'none' && said.reason === 'unknown-words')) return null;
  if (said.kind === 'product' && possible.includes(reference.productSlug.get(said.product_id) ?? '')) return null;
  const match = reference.product({
    label: named.label,
    memoryGb: named.memoryGb ?? words.memoryGb,
    formFactor: named.formFactor ?? words.formFactor,
  });
  return match.kind === 'product' ? match : null;
}

/** Whether a listing names an accelerator that the machine cannot hold, or another number of them. */
export const isContradicted = ({ possible, gpuCount }: KnownMachine, slug: string, said: number): boolean =>
  (possible !== null && !possible.includes(slug)) || (gpuCount !== null && Math.abs(gpuCount - said) > 0.01);
