import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { LARGE_BODY } from '../../contract/body-limit.ts';
import { largeBodies } from '../../contract/large-bodies.ts';
import { DomainError } from '../errors.ts';
import { checkBody } from './check-body.ts';
import { isEncoded, isJson } from './field-values.ts';
import { setHeader } from './headers.ts';
import { type BoundRoute, type HttpContext, type HttpEnv, incomingOf } from './http-env.ts';
import type { Arrival } from './intake.ts';
import { callerFields } from './observe.ts';
import { malformed } from './validation-error.ts';

const EMPTY: ReceivedBody = { bytes: Buffer.alloc(0), release: () => undefined };

/** Runs before the verb: checks caller and rate limit by the headers alone, then reads the body and applies the schema. */
export function guard(route: BoundRoute, schema: z.ZodType | null): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    c.set('route', route);
    const caller = { authorization: c.req.header('authorization'), address: c.get('client').address };
    const { actor, charged, refused } = await c.get('admit')(route, caller);
    c.set('actor', actor);
    if (charged) {
      setHeader(c, 'RateLimit-Policy', charged.policy);
      setHeader(c, 'RateLimit', charged.left);
    }
    Object.assign(c.get('event'), callerFields(actor));
    if (refused) throw refused;
    const body = hasBody(c, route) ? await receive(c, route) : EMPTY;
    try {
      if (schema) c.set('body', await check(c, route, schema, body.bytes));
    } finally {
      body.release();
    }
    await next();
  };
}

/** An unexpected body is read too, to keep the connection usable; a body of GET or HEAD only if the contract has one. */
const hasBody = (c: HttpContext, route: BoundRoute): boolean =>
  route.takesBody || (c.req.method !== 'GET' && c.req.method !== 'HEAD');

function receive(c: HttpContext, { bodyLimit: limit }: Pick<BoundRoute, 'bodyLimit'>): Promise<ReceivedBody> {
  const incoming = incomingOf(c);
  if (!incoming) return readRequest(c.req.raw, limit);
  const from = { actor: c.get('actor'), address: c.get('client').address };
  return readBody(incoming, { limit, receive: (giveUp) => c.get('intake').receive(from, giveUp) });
}

function check(c: HttpContext, route: BoundRoute, schema: z.ZodType, bytes: Buffer): unknown {
  if (bytes.length > 0 && !isJson(c.req.header('content-type'))) {
    throw malformed('header', 'content-type', 'must be application/json', 'content_type');
  }
  const key = `${route.method} ${route.path}`;
  if (bytes.length <= LARGE_BODY || !(key in largeBodies)) {
    const body = checkBody(schema, bytes, route.bodyLimit);
    // By now the schema has reported any missing required fields.
    if (bytes.length === 0 && route.requiresBody) throw malformed('body', null, 'Field required', 'missing');
    return body;
  }
  const actor = c.get('actor');
  const holder = 'customerId' in actor ? actor.customerId : '';
  return c.get('checkUpload')(holder, { key, bytes, limit: route.bodyLimit });
}

interface Options {
  /** Bytes. */
  limit: number;
  /** Starts counting the body; `giveUp` ends it early. */
  receive: (giveUp: (error: DomainError) => void) => Arrival;
}

/** A body in memory. Call `release` after its last use: it frees the body's bytes for other requests. */
interface ReceivedBody {
  bytes: Buffer;
  release: () => void;
}

/** Reads the whole body, at most `limit` bytes, from the node request: a fetch Request has no body on GET. */
export function readBody(incoming: IncomingMessage, { limit, receive }: Options): Promise<ReceivedBody> {
  if (isEncoded(incoming.headers['content-encoding'])) return Promise.reject(encoded());
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  // The client disconnected while its credential was looked up: no further event would be emitted.
  if (incoming.destroyed && !incoming.readableEnded) return Promise.reject(endedEarly());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: Error) => {
      arrival.end();
      chunks.length = 0;
      incoming.off('data', take);
      // Discard the rest, which the adaptor bounds: a client that writes everything before it reads would otherwise hang.
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
  if (isEncoded(request.headers.get('content-encoding'))) throw encoded();
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

const encoded = (): DomainError =>
  new DomainError('unsupported', 'Content-Encoding: bodies are read as they are; send this one without a coding');

const tooLarge = (limit: number): DomainError =>
  new DomainError('too_large', `body: must be at most ${limit} bytes; send less, or in several requests`);
