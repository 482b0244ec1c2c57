import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';
import type { Arrival } from './intake.ts';
import { malformed } from './validation-error.ts';

interface Options {
  /** Bytes. */
  limit: number;
  /** Begins to count the body; given what ends it early. */
  receive: (giveUp: (error: DomainError) => void) => Arrival;
}

/** A body in memory. `release` gives its bytes back to the others; to be called once it is needed no more. */
export interface ReceivedBody {
  bytes: Buffer;
  release: () => void;
}

/** The whole body from the socket, at most `limit` bytes. The socket is read directly, because a fetch Request has no body on GET. */
export function readBody(incoming: IncomingMessage, { limit, receive }: Options): Promise<ReceivedBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  // Gone while its credential was looked up: no event would come any more.
  if (incoming.destroyed && !incoming.readableEnded) return Promise.reject(endedEarly());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: Error) => {
      arrival.end();
      chunks.length = 0;
      incoming.off('data', take);
      // Read on and throw away, for the adaptor to bound: a client that writes all before it reads would otherwise hang.
      incoming.resume();
      reject(error);
    };
    const arrival = receive(refuse);
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      try {
        arrival.take(chunk.length);
      } catch (error) {
        return refuse(error as DomainError);
      }
      chunks.push(chunk);
    };
    incoming.on('data', take);
    incoming.once('end', () => {
      const [first] = chunks;
      resolve({ bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks), release: arrival.end });
    });
    incoming.once('error', () => refuse(endedEarly()));
    incoming.once('close', () => {
      if (!incoming.complete) refuse(endedEarly());
    });
  });
}

/** The body of a request made inside the process. */
export async function readRequest(request: Request, limit: number): Promise<ReceivedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), release: () => undefined };
}

const endedEarly = (): DomainError => malformed('body', null, 'ended before it was complete', 'json_invalid');

const tooLarge = (limit: number): DomainError =>
  new DomainError('too_large', `body: must be at most ${limit} bytes; send less, or in several requests`);
