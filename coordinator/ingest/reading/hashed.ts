import type { Hash } from 'node:crypto';

/** A content in passing, added to a hash. */
export async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
