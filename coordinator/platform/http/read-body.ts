import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';
import { incomingOf, type HttpContext } from './http-env.ts';
import { malformed } from './validation-error.ts';

/**
 * The whole body, at most `limit` bytes. Must run before anything asynchronous: once a client has gone, node-server
 * refuses to hand over what it sent. The socket is read directly, because a fetch Request has no body on GET.
 */
export function readBody(c: HttpContext, limit: number): Promise<Uint8Array> {
  const incoming = incomingOf(c);
  // The fast lane has read the socket already and hands the body on in the request.
  return incoming && !incoming.readableEnded ? fromSocket(incoming, limit) : fromRequest(c.req.raw, limit);
}

/** Bytes of unfinished bodies that the process holds at most: they come from callers who need not say who they are. */
const MOST_BYTES_IN_FLIGHT = 256 << 20;
let bytesInFlight = 0;

const tooBusy = (): DomainError =>
  new DomainError('unavailable', 'Too many requests are being received; send this one again.', {
    retryAfterSeconds: 1,
  });

const tooLarge = (limit: number): DomainError =>
  new DomainError('too_large', `body: must be at most ${limit} bytes; send less, or in several requests`);

function fromSocket(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    const release = () => {
      bytesInFlight -= held;
      held = 0;
    };
    const refuse = (error: DomainError) => {
      chunks.length = 0;
      release();
      // Keep reading and throw away: a client that writes all before it reads would otherwise hang or see a reset.
      // The server's request timeout bounds how long.
      incoming.off('data', take);
      incoming.resume();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      if (bytesInFlight + chunk.length > MOST_BYTES_IN_FLIGHT) return refuse(tooBusy());
      held += chunk.length;
      bytesInFlight += chunk.length;
      chunks.push(chunk);
    };
    if (Number(incoming.headers['content-length'] ?? 0) > limit) return refuse(tooLarge(limit));
    incoming.on('data', take);
    incoming.once('end', () => {
      release();
      resolve(Buffer.concat(chunks));
    });
    incoming.once('error', () => reject(malformed('body', null, 'ended before it was complete', 'json_invalid')));
    incoming.once('close', () => {
      release();
      if (!incoming.complete) reject(malformed('body', null, 'ended before it was complete', 'json_invalid'));
    });
  });
}

async function fromRequest(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
