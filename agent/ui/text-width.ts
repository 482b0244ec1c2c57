/** Truncates to `width` characters, with an ellipsis as the last one if text was cut. */
export function fitWidth(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
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

/** Code points: our own texts hold no combining or double-width characters. */
const widthOf = (text: string): number => Array.from(text).length;
