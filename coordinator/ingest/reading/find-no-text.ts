import { isUtf8 } from 'node:buffer';

export interface NoText {
  /** lines before the one that is no UTF-8 */
  lines: number;
  /** these lines */
  bytes: Uint8Array;
}

/** Where whole lines stop being UTF-8; null: nowhere. Free beside decoding them. */
export function findNoText(bytes: Uint8Array): NoText | null {
  if (isUtf8(bytes)) return null;
  // Latin-1 has a character for each byte and gives the same bytes back.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const wrong = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  return { lines: wrong, bytes: Buffer.from(lines.slice(0, wrong).join('\n'), 'latin1') };
}
