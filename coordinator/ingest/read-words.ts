import type { Match } from '../market/identity/match-product.ts';
import type { Ruling } from '../market/identity/label-rulings.ts';
import type { Reference } from '../market/ingestion/load-reference.ts';
import type { Segment } from '../market/segments.ts';
import type { Listing } from './listing.ts';
import { machineNamed } from './connectors/machine-families.ts';

/** What the words of a listing mean, whatever its price, its machine and its day. */
export interface Meaning {
  providerId: number | null;
  product: Match;
  /** why they mean the product where the label alone would not */
  evidence: string | null;
  /** what is known of the provider's machines and may decide otherwise */
  rulings: readonly Ruling[];
  country: string | null;
  region: string | null;
  segment: Segment | null;
}

type Words = Pick<
  Listing,
  'provider' | 'label' | 'said' | 'memoryGb' | 'formFactor' | 'isByMachine' | 'region' | 'country'
>;

export function readWords(words: Words, reference: Reference): Meaning {
  const { provider, label, memoryGb, region } = words;
  const providerId = reference.provider(provider);
  const slug = providerId === null ? '' : (reference.providerById.get(providerId)?.slug ?? '');
  const product = reference.product(words);
  const candidates =
    product.kind === 'none' ? product.candidates : [reference.productSlug.get(product.product_id) ?? ''];
  const place = region === null ? null : reference.region(slug, region);
  return {
    providerId,
    product,
    evidence: product.kind === 'none' ? null : evidenceOf(words, product.product_id, reference),
    rulings: reference.rulings({ provider: slug, label, memoryGb, candidates }),
    country: reference.country(slug, region, words.country),
    region: place === null ? null : place.code,
    segment: place === null ? null : place.segment,
  };
}

/** What else than the label was needed for the product. */
function evidenceOf(
  { label, said, memoryGb, formFactor, isByMachine = false }: Words,
  productId: number,
  { product }: Reference,
): string | null {
  const means = (text: string, memory: number | null, form: string | null): boolean => {
    const match = product({ label: text, memoryGb: memory, formFactor: form });
    return match.kind === 'product' && match.product_id === productId;
  };
  const texts = isByMachine ? [said ?? label] : [said ?? label, label];
  if (texts.some((text) => means(text, null, null))) return null;
  if (isByMachine) return 'machine type';
  if (texts.some((text) => means(text, memoryGb, null))) return 'memory';
  return texts.some((text) => means(text, null, formFactor)) ? 'form factor' : 'memory and form factor';
}

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
