import { isUtf8 } from 'node:buffer';

interface NoText {
  /** number of lines before the first that is not UTF-8 */
  lines: number;
  /** those lines */
  bytes: Uint8Array;
  /** the end of a sentence about the file: what that line is instead, and how to read it */
  sentence: string;
}

/** Where whole lines stop being UTF-8; null if all of them are. Costs next to nothing compared with decoding them. */
export function findNoText(bytes: Uint8Array): NoText | null {
  if (isUtf8(bytes)) return null;
  // Latin-1 maps each byte to one character and back.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const wrong = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  const before = Buffer.from(lines.slice(0, wrong).join('\n'), 'latin1');
  return { lines: wrong, bytes: before, sentence: `is not UTF-8 text${insteadIs(lines[wrong] ?? '')}` };
}

/** `line` has one character for each of its bytes. */
function insteadIs(line: string): string {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(line)) return remedy('UTF-16', 'UTF-16');
  // A single letter above ASCII, as in `Métropolitain`; in UTF-8 at least two such bytes stand together.
  if (!/(?<![\x80-\xff])[\x80-\xff][\x20-\x7e]/.test(line)) return '';
  return /[\x80-\x9f]/.test(line) ? remedy('Windows-1252', 'WINDOWS-1252') : remedy('Latin-1', 'ISO-8859-1');
}

const remedy = (encoding: string, name: string): string =>
  ` but ${encoding} by its bytes: convert it with "iconv -f ${name} -t UTF-8" first`;

/** Lines of UTF-8, and those that are not as Latin-1: for a publisher that has written both. */
export const textOfEither = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .map((line) => {
      const own = Buffer.from(line, 'latin1');
      return isUtf8(own) ? own.toString('utf8') : line;
    })
    .join('\n');
