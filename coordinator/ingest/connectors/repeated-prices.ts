import { refuse } from '../judge-listing.ts';
import type { Listing, ReadRow } from '../listing.ts';

/** Tells whether the same words were seen before, to find price lists that a file repeats. Create one per file. */
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
 * Refuses rows that repeat an earlier row of the file: mistakes in hand-maintained tables, and cards that are listed twice.
 * Create one per file. Rows are the same if their texts are equal, or as `sameOf` says.
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
