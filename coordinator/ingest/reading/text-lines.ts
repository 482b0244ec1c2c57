import { FormatError, type SourceFile } from '../connector.ts';
import { findNoText } from './find-no-text.ts';

/** Bytes of one line. */
const LINE_BYTES = 64 * 1024 ** 2;
const LINE_END = 0x0a;

type Named = Pick<SourceFile, 'name'>;

/** The lines of a text in UTF-8, without their ends; `kind` says what of. @throws FormatError: a line without end, no UTF-8 */
export async function* textLines(
  file: Pick<SourceFile, 'name' | 'content'>,
  kind: string,
): AsyncGenerator<string, void> {
  const read = { lines: 0 };
  let held: Uint8Array[] = [];
  for await (const chunk of file.content) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      yield* textOf(file, Buffer.concat([...held, chunk.subarray(0, end - 1)]), read);
      held = [];
    }
    held.push(chunk.subarray(end));
    if (held.reduce((sum, { length }) => sum + length, 0) > LINE_BYTES)
      throw new FormatError(file, null, `has a line of more than 64 MiB: no ${kind}`);
  }
  const last = Buffer.concat(held);
  if (last.length > 0) yield* textOf(file, last, read);
}

function textOf(file: Named, bytes: Buffer, read: { lines: number }): string[] {
  const noText = findNoText(bytes);
  if (noText !== null) throw new FormatError(file, read.lines + noText.lines + 1, 'is not UTF-8 text');
  const texts = new TextDecoder('utf-8').decode(bytes).split('\n');
  read.lines += texts.length;
  return texts;
}
