import { FormatError, type SourceFile } from '../connector.ts';

/** A content whole, for formats that cannot be read in passing. Beyond `limit` bytes it is a FormatError. */
export async function gather({ name, content }: Pick<SourceFile, 'name' | 'content'>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit)
      throw new FormatError({ name }, null, `is larger than ${limit / 1024 ** 2} MiB, which this format may have`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
