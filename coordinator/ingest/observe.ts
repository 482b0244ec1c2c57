import { hash } from 'node:crypto';
import type { Observation, Priced } from '../market/observation.ts';
import { type Reference, remembering } from '../market/ingestion/load-reference.ts';
import type { UnmatchedLabel } from '../platform/readings/queries.ts';
import type { Listing, ReadRow, Refusal } from './listing.ts';
import type { Match } from '../market/identity/match-product.ts';
import type { Ruling } from '../market/identity/label-rulings.ts';
import type { Segment } from '../market/segments.ts';
import { decidedByName, isContradicted, machineReader, type KnownMachine } from './machine-facts.ts';

type Observed =
  | { kind: 'observation'; observation: Observation }
  | { kind: 'unmatched'; of: 'product' | 'provider'; label: string }
  | { kind: 'refused'; refusal: Refusal; detail: string }
  /** no rate of that day is loaded for any currency: the operator can load them, and the row is not at fault */
  | { kind: 'no-rates'; currency: string; day: string };

/** A row that yielded a listing. */
type ReadListing = Extract<ReadRow, { listing: Listing }>;

/** Hex digits kept of a row's SHA-256: eight bytes. */
const HASH_DIGITS = 16;

const AHEAD_MS = 86_400_000;

/** Sources in other time zones may be a day ahead. True for an invalid date. */
export const isInFuture = (date: Date, now: Date): boolean => !(date.getTime() <= now.getTime() + AHEAD_MS);

/** What a listing prices, or the label that could not be matched. */
type Found = Priced | { kind: 'unmatched'; of: 'product' | 'provider'; label: string };

/**
 * Resolves each listing of a file to its product, provider, country and price in USD, or says what is missing. Nothing is
 * guessed. Nearly all of millions of listings repeat the words of another; the same words are looked up once.
 */
export function observer(reference: Reference, now: Date): (read: ReadListing) => Observed {
  const find = finder(reference);
  const dollars = dollarsBy(reference);
  return ({ listing, row, text }) => {
    const { price, currency, observedAt, gpuCount } = listing;
    if (!(price > 0 && price < Infinity)) return { kind: 'refused', refusal: 'bad-price', detail: String(price) };
    if (isInFuture(observedAt, now)) return { kind: 'refused', refusal: 'bad-date', detail: dateText(observedAt) };
    if (!(gpuCount > 0)) return { kind: 'refused', refusal: 'unknown-count', detail: String(gpuCount) };
    const priced = find(listing);
    if ('kind' in priced) return priced;
    const rate = currency === 'USD' ? 1 : dollars(currency, observedAt);
    if (typeof rate !== 'number') return rate;
    const rowHash = hash('sha256', text, 'hex').slice(0, HASH_DIGITS);
    return {
      kind: 'observation',
      observation: { priced, observedAt, price: price * rate, originalPrice: price, rate, row, rowHash },
    };
  };
}

/** Resolves listings. Those that share `words` share the result, unless rulings apply, which depend on the day. */
function finder(reference: Reference): (listing: Listing) => Found {
  const machineOf = machineReader(reference);
  const sellerOf = remembering(
    (provider: string) => sellerNamed(provider, reference),
    (provider) => provider,
  );
  const meaningOf = remembering(
    (listing: Listing, seller: Seller, machine: KnownMachine | null) => readWords(listing, seller, machine, reference),
    ({ provider, label, said, memoryGb, formFactor, isByMachine, region, country, isSellersName }, _, machine) =>
      `${provider}\t${label}\t${said ?? ''}\t${memoryGb}\t${formFactor ?? ''}\t${isByMachine ?? ''}\t${region ?? ''}\t${country ?? ''}\t${isSellersName ? nameKeyOf(machine) : ''}`,
  );
  const found = (listing: Listing, seller: Seller, { machine, meaning }: Understood): Found => {
    const { product, country, region, segment, evidence, rulings } = meaning;
    if (seller.id === null) return { kind: 'unmatched', of: 'provider', label: listing.provider };
    const ruling = rulings.find(({ holds }) => holds(listing));
    const said = product.kind === 'product' ? product.product_id : null;
    const productId = ruling?.productId ?? said;
    if (productId === null) return { kind: 'unmatched', of: 'product', label: wholeLabel(listing) };
    const { gpuCount, offer } = listing;
    const contradicted =
      machine !== null && isContradicted(machine, reference.productSlug.get(productId) ?? '', gpuCount);
    return {
      productId,
      providerId: seller.id,
      priceType: listing.priceType,
      country,
      region,
      currency: listing.currency,
      gpuCount,
      sized: listing.isUnsized !== true,
      clusterSize: listing.clusterSize,
      offer,
      segment: listing.segment ?? segment ?? (gpuCount < 1 ? 'fraction' : null),
      doubt: listing.doubt ?? (contradicted ? 'contradiction' : null),
      label: listing.said ?? listing.label,
      evidence: ruling === undefined || productId === said ? evidence : ruling.reason,
      line: null,
    };
  };
  return (listing) => {
    const { words } = listing;
    if (words !== undefined && words.found !== null) return words.found as Found;
    const seller = sellerOf(listing.provider);
    const machine = machineOf(seller.slug, listing.offer);
    const meaning = meaningOf(listing, seller, machine);
    const priced = found(listing, seller, { machine, meaning });
    if (words !== undefined && meaning.rulings.length === 0) words.found = priced;
    return priced;
  };
}

interface Seller {
  /** null if unknown */
  id: number | null;
  slug: string;
}

interface Understood {
  machine: KnownMachine | null;
  meaning: Meaning;
}

function sellerNamed(provider: string, reference: Reference): Seller {
  const id = reference.provider(provider);
  return { id, slug: id === null ? '' : (reference.providerById.get(id)?.slug ?? '') };
}

const nameKeyOf = (machine: KnownMachine | null): string =>
  machine?.named == null ? '' : [machine.named.label, machine.named.memoryGb, machine.named.formFactor].join('\t');

/** USD per unit of another currency on a day, or why there is no rate. */
const dollarsBy =
  ({ usdPer }: Reference) =>
  (currency: string, at: Date): number | Observed => {
    const day = dateText(at);
    const rate = usdPer(currency, day);
    if (rate !== null) return rate;
    if (usdPer('EUR', day) === null) return { kind: 'no-rates', currency, day };
    return { kind: 'refused', refusal: 'unknown-currency', detail: `${currency} on ${day}` };
  };

const dateText = (date: Date): string => (Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().slice(0, 10));

/** Whether a label that was left unmatched can be matched now. */
export function isMeant(kind: UnmatchedLabel['kind'], label: string, reference: Reference): boolean {
  if (kind === 'provider') return reference.provider(label) !== null;
  if (kind === 'model') return false;
  const [said = '', ...beside] = label.split(BESIDE);
  const memory = beside.find((part) => MEMORY.test(part));
  const formFactor = beside.find((part) => part !== memory) ?? null;
  const memoryGb = memory === undefined ? null : Number.parseInt(memory, 10);
  return reference.product({ label: said, memoryGb, formFactor }).kind === 'product';
}

const BESIDE = ' | ';
const MEMORY = /^\d+ GB$/;

/** The label with the memory and form factor that the source states: it may match with them and not without. */
const wholeLabel = ({ label, memoryGb, formFactor }: Listing): string =>
  [label, memoryGb === null ? null : `${Math.round(memoryGb)} GB`, formFactor]
    .filter((part) => part !== null)
    .join(BESIDE);

/** What the words of a listing mean, independent of its price and day. */
interface Meaning {
  product: Match;
  /** what decided the product, if the label alone does not */
  evidence: string | null;
  /** rules about the provider's machines that may override the product */
  rulings: readonly Ruling[];
  country: string | null;
  region: string | null;
  segment: Segment | null;
}

type Words = Pick<
  Listing,
  'provider' | 'label' | 'said' | 'memoryGb' | 'formFactor' | 'isByMachine' | 'region' | 'country' | 'isSellersName'
>;

function readWords(words: Words, { slug }: Seller, machine: KnownMachine | null, reference: Reference): Meaning {
  const { label, memoryGb, region } = words;
  const said = reference.product(words);
  const byName = words.isSellersName && machine !== null ? decidedByName(said, words, { machine, reference }) : null;
  const product = byName ?? said;
  const candidates =
    product.kind === 'none' ? product.candidates : [reference.productSlug.get(product.product_id) ?? ''];
  const place = region === null ? null : reference.region(slug, region);
  const evidence = product.kind === 'none' ? null : evidenceOf(words, product.product_id, reference);
  return {
    product,
    evidence: byName === null ? evidence : 'machine name',
    rulings: reference.rulings({ provider: slug, label, memoryGb, candidates }),
    country: reference.country(slug, region, words.country),
    region: place === null ? null : place.code,
    segment: place === null ? null : place.segment,
  };
}

/** What was needed besides the label to match the product; null if the label suffices. */
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
