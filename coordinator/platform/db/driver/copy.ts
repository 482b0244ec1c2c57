import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * Puts a listener on the stream of a COPY where postgres.js makes it. A statement may fail in the packet that opened its
 * stream, before the code that awaits the query has it, and an error that nobody listens to ends the process. The stream keeps
 * the error, and reading or writing throws it.
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

/** Bytes that may wait for Postgres, so that it has work while the next are made. */
const MOST_WAITING = 1024 * 1024;

/** A lost connection is told to its transaction at once. */
const ENDS_WITHIN_MS = 10_000;

export interface CopyIn {
  /** Resolves once Postgres takes more. Throws what the statement failed of. */
  write: (text: string | Buffer) => Promise<void>;
  /** Resolves once all of it is in the table. */
  end: () => Promise<void>;
  /** The statement fails, and its transaction with it. */
  abandon: () => void;
}

/**
 * A `COPY ... FROM STDIN` that says when it failed. postgres.js (3.4.9, upstream 1173) tells its stream of an error only until the
 * last piece is sent; one about that piece would leave `end` waiting for ever. The query itself is told of all of them.
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
        // What waits goes to the socket only when the event loop comes round.
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
 * With its connection the transaction is over, and `begin` says so itself. An error thrown here would make it send a rollback into a
 * closed socket, which in postgres.js 3.4.9 is an error that nobody can catch.
 */
const leaveToTheTransaction = (): Promise<void> => setTimeout(ENDS_WITHIN_MS, undefined, { ref: false });

/** What the statement failed of leaves the connection as it is; all else is of the socket, or ends the session. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PostgresError' && 'severity' in error && error.severity === 'ERROR';

/** A query of the driver whose statement is `COPY ... TO STDOUT`. */
interface CopyOutQuery {
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
    // The connection is gone, and with it the socket.
  }
}
