/** Width of a text in points at the size and weight in use. */
type Measure = (text: string) => number;

const ELLIPSIS = '…';
/** Up to so many characters a text is first measured whole: most cells of tables fit, and a word at a time is slow. */
const SHORT = 80;

/**
 * Breaks `text` into at most `maxLines` lines of `width` points: at spaces and after separators if possible, inside a
 * word if it is longer than a line, and inside a number only if it is longer than a line. Text that does not fit ends in an
 * ellipsis.
 */
export function fitText(text: string, width: number, maxLines: number, measure: Measure): string[] {
  if (text.length <= SHORT && measure(text.trimEnd()) <= width) return [text.trimEnd()];
  const lines: string[] = [];
  let line = '';
  const pieces = piecesOf(text);
  while (pieces.length > 0) {
    const piece = pieces.shift() ?? '';
    if (measure((line + piece).trimEnd()) <= width) {
      line += piece;
    } else if (line.trim() === '') {
      const head = longestPrefix(piece, width, measure);
      line = head;
      if (head.length < piece.length) pieces.unshift(piece.slice(head.length));
      if (pieces.length > 0) line = flush(lines, line);
    } else {
      line = flush(lines, line);
      pieces.unshift(piece.trimStart());
    }
    if (lines.length >= maxLines && (line.trim() !== '' || pieces.some((rest) => rest.trim() !== ''))) {
      lines.length = maxLines;
      lines.push(ellipsised(`${lines.pop() ?? ''}${ELLIPSIS}`, width, measure));
      return lines;
    }
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}

function flush(lines: string[], line: string): string {
  lines.push(line.trimEnd());
  return '';
}

/** A line that already ends in an ellipsis, shortened until it fits. */
function ellipsised(line: string, width: number, measure: Measure): string {
  const letters = graphemesOf(line.slice(0, -ELLIPSIS.length).trimEnd());
  while (letters.length > 0 && measure(letters.join('') + ELLIPSIS) > width) letters.pop();
  return letters.join('').trimEnd() + ELLIPSIS;
}

/** At least one letter, so that a column narrower than a letter does not cause an endless loop. */
function longestPrefix(word: string, width: number, measure: Measure): string {
  const letters = graphemesOf(word);
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(letters.slice(0, middle).join('')) <= width) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, beforeNumber(letters, low)).join('');
}

/** The end of a prefix, moved back to where it cuts no number; as it is if all of it is one. */
function beforeNumber(letters: readonly string[], end: number): number {
  const cuts = (at: number): boolean =>
    at < letters.length &&
    /[\d.,][\d.,]/.test(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`) &&
    /\d/.test(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`);
  let at = end;
  while (at > 0 && cuts(at)) at -= 1;
  return at === 0 ? end : at;
}

/**
 * Words with the space or separator that follows them. No break at a no-break space, nor between a separator and a digit: dates,
 * powers and numbered names stay whole.
 */
export const piecesOf = (text: string): string[] =>
  text
    .split(/(?<=[ \t])(?![ \t])|(?<=[-_])(?![ \t\d])|(?<=\/)(?!\d)(?=.{2})|(?<=[.:])(?=\p{L})/u)
    .filter((piece) => piece !== '');

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const graphemesOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
