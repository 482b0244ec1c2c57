/** Truncates to `width` columns, with an ellipsis in the last one if text was cut. */
export function fitWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, room] = ['', width - 1];
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/**
 * Wraps at blanks into lines of at most `width`; a longer word (a URL) gets its own line, uncut, and `5 %` counts as
 * one word.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+(?!%)/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * Text from machines or servers may contain terminal control sequences, which are made visible instead of being
 * executed.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
}

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** Two columns each: Chinese, Japanese and Korean (East Asian Width W and F of Unicode), and most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/gu;
/** None: they join the character before. */
const JOINED = /\p{Mn}|\p{Me}/gu;

/** Columns of a terminal. */
export const widthOf = (text: string): number =>
  Array.from(text.replace(JOINED, '')).length + (text.match(WIDE)?.length ?? 0);
