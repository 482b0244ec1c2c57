/** With more mistakes than this, another word may be meant. */
const MISTAKES_MAX = 2;

/** The word in `known` closest to the misspelt `word`; null if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | null {
  const judged = known.map((one) => ({ one, mistakes: mistakesBetween(word.toLowerCase(), one) }));
  const [best] = judged.toSorted((a, b) => a.mistakes - b.mistakes);
  // Two mistakes in a three-letter word leave too little to match.
  return best !== undefined && best.mistakes <= Math.min(MISTAKES_MAX, best.one.length / 2) ? best.one : null;
}

/** Insertions, deletions, substitutions and transpositions of neighbours: the restricted edit distance. */
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
