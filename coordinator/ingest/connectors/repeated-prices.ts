import { refuse } from '../judge-listing.ts';
import type { Listing, ReadRow } from '../listing.ts';

/** Tells whether the same words came before: a price list that a file repeats. One for each file. */
export function repeatedPrices(): (...words: string[]) => boolean {
  const seen = new Set<string>();
  return (...words) => {
    const key = words.join('\n');
    const again = seen.has(key);
    seen.add(key);
    return again;
  };
}

/**
 * What a file's rows give, but for those that it has before: slips of tables that people keep, and cards that are listed twice.
 * One for each file. The same are rows word for word, or as `sameOf` has it.
 */
export function withoutRepeats(
  sameOf: (listing: Listing, text: string) => string = (_, text) => text,
): (reads: readonly ReadRow[]) => readonly ReadRow[] {
  const isRepeated = repeatedPrices();
  return (reads) => {
    const first = reads.find((read) => 'listing' in read);
    if (first === undefined || !isRepeated(sameOf(first.listing, first.text))) return reads;
    const { label, offer } = first.listing;
    return [refuse({ number: first.row }, 'same-row', `${label} ${offer ?? ''}`.trim())];
  };
}
