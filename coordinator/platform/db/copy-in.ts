import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

/** A query of the driver whose statement is `COPY ... FROM STDIN`. */
interface CopyQuery {
  writable: () => Promise<Writable>;
}

/** Bytes that may wait for Postgres, so that it has work while the next are made. */
const MOST_WAITING = 1024 * 1024;

export interface CopyIn {
  /** Resolves once Postgres takes more. Throws what the statement failed of. */
  write: (text: string) => Promise<void>;
  /** Resolves once all of it is in the table. */
  end: () => Promise<void>;
  /** The statement fails, and its transaction with it. */
  abandon: () => void;
}

/**
 * A `COPY ... FROM STDIN` that says when it failed. postgres.js (3.4.9) tells its stream of an error only until the last
 * piece is sent; one about that piece would leave `end` waiting for ever. The query itself is told of all of them.
 */
export async function copyIn(query: CopyQuery): Promise<CopyIn> {
  const told = query as CopyQuery & { reject: (error: Error) => void };
  const reject = told.reject;
  const stream = await query.writable();
  // Without a listener an error between two writes would end the process.
  stream.on('error', () => undefined);
  told.reject = (error) => {
    reject(error);
    stream.destroy(error);
  };
  const requireSound = (): void => {
    if (stream.errored) throw stream.errored;
  };
  return {
    write: async (text) => {
      requireSound();
      stream.write(text);
      if (stream.writableLength >= MOST_WAITING) await once(stream, 'drain');
      // What waits goes to the socket only where the event loop comes round.
      else await setImmediate();
    },
    end: async () => {
      requireSound();
      stream.end();
      await finished(stream);
    },
    abandon: () => void stream.destroy(),
  };
}
