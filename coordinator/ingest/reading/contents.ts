import type { Hash } from 'node:crypto';
import { FormatError, type SourceFile } from '../connector.ts';
import { findNoText } from './encoding.ts';

/** Reads the whole content, for formats that cannot be streamed. @throws FormatError beyond `limit` bytes */
export async function gather({ name, content }: Pick<SourceFile, 'name' | 'content'>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit)
      throw new FormatError(
        { name },
        null,
        `is larger than ${limit / 1024 ** 2} MiB, the most that is read in this format`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Passes a content through and adds it to a hash. */
export async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The first `count` bytes of a content (fewer if it ends before), and the whole content again, those bytes included. */
export async function peek(
  content: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; content: AsyncIterable<Uint8Array> }> {
  const iterator = content[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    held.push(next.value);
    size += next.value.length;
  }
  return { head: Buffer.concat(held).subarray(0, count), content: continued(held, iterator) };
}

async function* continued(
  held: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* held;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** How a file of a source that publishes JSON and CSV begins, and the file again, readable from its start. */
export async function beginning(file: SourceFile): Promise<[start: '[' | '{' | 'other', file: SourceFile]> {
  const { head, content } = await peek(file.content, 64);
  const first = new TextDecoder().decode(head).trimStart()[0];
  return [first === '[' || first === '{' ? first : 'other', { ...file, content }];
}

/** Most bytes of one line. */
const LINE_BYTES = 64 * 1024 ** 2;
const LINE_END = 0x0a;

type Named = Pick<SourceFile, 'name'>;

/** The lines of a UTF-8 text, without line ends; `kind` names the format. @throws FormatError: an endless line, not UTF-8 */
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
      throw new FormatError(file, null, `has a line of more than 64 MiB: it is not ${kind}`);
  }
  const last = Buffer.concat(held);
  if (last.length > 0) yield* textOf(file, last, read);
}

function textOf(file: Named, bytes: Buffer, read: { lines: number }): string[] {
  const noText = findNoText(bytes);
  if (noText !== null) throw new FormatError(file, read.lines + noText.lines + 1, noText.sentence);
  const texts = new TextDecoder('utf-8').decode(bytes).split('\n');
  read.lines += texts.length;
  return texts;
}
