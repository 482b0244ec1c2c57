import type { Readable } from 'node:stream';

/** A query of the driver whose statement is `COPY ... TO STDOUT`. */
interface CopyQuery {
  readable: () => Promise<Readable>;
}

/**
 * What a `COPY ... TO STDOUT` sends, piece by piece; read it to its end before the connection is used again. postgres.js
 * (3.4.9) pauses its socket when the reader is slower and wakes it when the reader asks for more; after the last piece
 * nobody asks, and the next query of the connection would wait for ever. So it is asked for once more here.
 */
export async function* copyOut(query: CopyQuery): AsyncGenerator<Buffer, void> {
  const stream = await query.readable();
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) yield piece;
  } finally {
    // oxlint-disable-next-line no-underscore-dangle -- the one call that wakes the socket
    stream._read(0);
  }
}
