import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Output at a time, and with it what a file of any size holds of memory: the next piece is unpacked when this one is gone. */
const PIECE = 256 * 1024;

/** What a gzip holds, while it is read. Ends with an error where the source does, or where it is no whole gzip. */
export async function* unpacked(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const unpacking = createGunzip({ chunkSize: PIECE });
  // What goes wrong is thrown where the pieces are read.
  pipeline(Readable.from(content), unpacking, () => undefined);
  yield* unpacking as AsyncIterable<Buffer>;
}
