import type { Readable, Writable } from 'node:stream';

/**
 * Puts a listener on the stream of a COPY where postgres.js makes it. A statement may fail in the packet that opened its
 * stream, before the code that awaits the query has it, and an error that nobody listens to ends the process. The stream keeps
 * the error, and reading or writing throws it.
 */
export function hearErrors(query: object): void {
  const opening = query as { resolve: (stream: Readable | Writable) => void };
  const { resolve } = opening;
  opening.resolve = (stream) => {
    // The query resolves once more when the statement is done.
    opening.resolve = resolve;
    stream.on('error', () => undefined);
    resolve(stream);
  };
}
