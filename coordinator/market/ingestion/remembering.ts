/** Answers that are held; a file with more different words begins anew. */
const MOST = 20_000;

/** `answer`, asked once for each key: of the millions of rows of a file nearly all repeat the words of others. No answer is undefined. */
export function remembering<Asked extends unknown[], Answer extends object | string | number | null>(
  answer: (...asked: Asked) => Answer,
  keyOf: (...asked: Asked) => string,
): (...asked: Asked) => Answer {
  const known = new Map<string, Answer>();
  return (...asked) => {
    const key = keyOf(...asked);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    const given = answer(...asked);
    known.set(key, given);
    return given;
  };
}
