/** More mistakes than this in a word, and another may be meant. */
const MISTAKES_MAX = 2;

/** The word of `known` that `word` is a misspelling of; null if it is like none of them. */
export function nearest(word: string, known: readonly string[]): string | null {
  const judged = known.map((one) => ({ one, mistakes: mistakesBetween(word.toLowerCase(), one) }));
  const [best] = judged.toSorted((a, b) => a.mistakes - b.mistakes);
  // Of a word of three letters two mistakes leave nothing.
  return best !== undefined && best.mistakes <= Math.min(MISTAKES_MAX, best.one.length / 2) ? best.one : null;
}

/** Letters put in, left out, exchanged for another or swapped with the next one: the restricted edit distance. */
function mistakesBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
