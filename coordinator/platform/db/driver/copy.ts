import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * Adds an error listener to the stream of a COPY as soon as postgres.js creates it. A statement can fail in the packet that
 * opened its stream, before the code that awaits the query has the stream, and an unhandled error event ends the process. The
 * stream keeps the error, and reading or writing throws it.
 */
function hearErrors(query: object): void {
  const opening = query as { resolve: (stream: Readable | Writable) => void };
  const { resolve } = opening;
  opening.resolve = (stream) => {
    // The query resolves once more when the statement is done.
    opening.resolve = resolve;
    stream.on('error', () => undefined);
    resolve(stream);
  };
}

/** A query of the driver whose statement is `COPY ... FROM STDIN`. */
interface CopyInQuery {
  writable: () => Promise<Writable>;
}

/** Bytes buffered for Postgres, so that it stays busy while the next ones are produced. */
const MOST_WAITING = 1024 * 1024;

/** Upper bound for `leaveToTheTransaction`: the transaction learns of a lost connection immediately. */
const ENDS_WITHIN_MS = 10_000;

export interface CopyIn {
  /** Resolves once Postgres accepts more. Throws the statement's error. */
  write: (text: string | Buffer) => Promise<void>;
  /** Resolves once all data is in the table. */
  end: () => Promise<void>;
  /** Makes the statement fail, and with it its transaction. */
  abandon: () => void;
}

/**
 * A `COPY ... FROM STDIN` that reports all failures. postgres.js (3.4.9, upstream 1173) passes errors to its stream only until
 * the last piece is sent; an error about that piece would leave `end` waiting for ever. The query itself receives all of them.
 */
export async function copyIn(query: CopyInQuery): Promise<CopyIn> {
  const told = query as CopyInQuery & { reject: (error: Error) => void };
  const reject = told.reject;
  hearErrors(query);
  const stream = await query.writable();
  told.reject = (error) => {
    reject(error);
    stream.destroy(error);
  };
  const sound = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if (stream.errored) throw stream.errored;
      await work();
    } catch (error) {
      if (!isOfStatement(error)) await leaveToTheTransaction();
      throw error;
    }
  };
  return {
    write: (text) =>
      sound(async () => {
        stream.write(text);
        if (stream.writableLength >= MOST_WAITING) await once(stream, 'drain');
        // Buffered data is written to the socket only in the next turn of the event loop.
        else await setImmediate();
      }),
    end: () =>
      sound(async () => {
        stream.end();
        await finished(stream);
      }),
    abandon: () => void stream.destroy(),
  };
}

/**
 * When the connection is lost, the transaction is over and `begin` rejects by itself. An error thrown here would make `begin`
 * send a rollback into a closed socket, which in postgres.js 3.4.9 is an error that cannot be caught.
 */
const leaveToTheTransaction = (): Promise<void> => setTimeout(ENDS_WITHIN_MS, undefined, { ref: false });

/** True for a statement error, which leaves the connection usable; other errors come from the socket or end the session. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PostgresError' && 'severity' in error && error.severity === 'ERROR';

/** A query of the driver whose statement is `COPY ... TO STDOUT`. */
interface CopyOutQuery {
  readable: () => Promise<Readable>;
}

/** Bytes per piece: Postgres sends each row separately, but the next stage's cost is mostly per piece. */
const PIECE = 64 * 1024;

/**
 * The output of a `COPY ... TO STDOUT`, a few rows at a time. A reader that stops early waits for the rest, which Postgres
 * sends in any case; then the connection is free. postgres.js (3.4.9, upstream 499) pauses its socket when the reader is
 * slower and resumes it when the reader asks for more; after the last piece it does not, and the next query of the
 * connection would wait for ever. Therefore this function asks once more at the end.
 */
export async function* copyOut(query: CopyOutQuery): AsyncGenerator<Buffer, void> {
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
    // The connection is lost, and with it the socket.
  }
}
