import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { hearErrors } from './hear-errors.ts';

/** A query of the driver whose statement is `COPY ... TO STDOUT`. */
interface CopyQuery {
  readable: () => Promise<Readable>;
}

/** Bytes that are handed on at once: Postgres sends each row by itself, and whatever comes after it costs the most by the piece. */
const PIECE = 64 * 1024;

/**
 * What a `COPY ... TO STDOUT` sends, some rows at a time. A reader that stops early waits for the rest, which Postgres sends
 * whether anybody wants it or not; then the connection is free. postgres.js (3.4.9, upstream 499) pauses its socket when the
 * reader is slower and wakes it when the reader asks for more; after the last piece nobody asks, and the next query of the
 * connection would wait for ever. So it is asked for once more here.
 */
export async function* copyOut(query: CopyQuery): AsyncGenerator<Buffer, void> {
  hearErrors(query);
  const stream = await query.readable();
  try {
    let rows: Buffer[] = [];
    let bytes = 0;
    for await (const first of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      for (let row: Buffer | null = first; row !== null; row = stream.read() as Buffer | null) {
        rows.push(row);
        bytes += row.length;
      }
      if (bytes < PIECE) continue;
      yield Buffer.concat(rows, bytes);
      [rows, bytes] = [[], 0];
    }
    if (bytes > 0) yield Buffer.concat(rows, bytes);
  } finally {
    if (!stream.readableEnded && !stream.destroyed) {
      stream.resume();
      await finished(stream).catch(() => undefined);
    }
    wake(stream);
  }
}

function wake(stream: Readable): void {
  try {
    // oxlint-disable-next-line no-underscore-dangle -- the one call that wakes the socket
    stream._read(0);
  } catch {
    // The connection is gone, and with it the socket.
  }
}
