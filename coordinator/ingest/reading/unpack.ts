import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FormatError, type SourceFile } from '../connector.ts';
import { peek } from './peek.ts';
import { zipParts } from './zip-parts.ts';

export type Part = Pick<SourceFile, 'name' | 'content'>;

/** Bytes of one unpacked file. 50 million rows of observations are 8 GB; what is far more is a bomb. */
const UNPACKED_BYTES = 64 * 1024 ** 3;

/**
 * The files in a content: those of a zip one after the other, named `archive.zip/file.csv`; else the content itself, a gzip
 * unpacked. Told by the first bytes, not by the name. Read each before the next is asked for.
 * @throws FormatError, also while a part is read: cut off, damaged, or larger than `limit` bytes
 */
export async function* unpack(packed: Part, limit = UNPACKED_BYTES): AsyncGenerator<Part, void> {
  const { head, content } = await peek(packed.content, 4);
  const file = { name: packed.name, content };
  if (starts(head, [0x1f, 0x8b])) yield { name: file.name, content: limited(file.name, gunzipped(file), limit) };
  // The second is a zip without files, the third one in several volumes; both are told so instead of read as text.
  else if (starts(head, [0x50, 0x4b, 3, 4]) || starts(head, [0x50, 0x4b, 5, 6]) || starts(head, [0x50, 0x4b, 7, 8])) {
    for await (const part of zipParts(file))
      yield { name: part.name, content: limited(part.name, part.content, limit) };
  } else yield { name: file.name, content: limited(file.name, content, limit) };
}

const starts = (head: Uint8Array, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

async function* gunzipped({ name, content }: Part): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  // Errors of either side reach the loop below through `gunzip`.
  pipeline(content, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const why = code === 'Z_BUF_ERROR' ? 'is cut off: the gzip ends before its end mark' : 'is a damaged gzip file';
    throw new FormatError({ name }, null, why);
  }
}

async function* limited(
  name: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw new FormatError({ name }, null, `unpacks to more than ${limit} bytes; it is not read on`);
    yield chunk;
  }
}
