import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { hearErrors } from './hear-errors.ts';

/** A query of the driver whose statement is `COPY ... FROM STDIN`. */
interface CopyQuery {
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
export async function copyIn(query: CopyQuery): Promise<CopyIn> {
  const told = query as CopyQuery & { reject: (error: Error) => void };
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
