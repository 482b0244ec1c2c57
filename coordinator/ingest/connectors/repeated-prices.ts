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
