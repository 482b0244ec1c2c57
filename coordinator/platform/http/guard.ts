import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { LARGE_BODY } from '../../contract/body-limit.ts';
import { largeBodies } from '../../contract/large-bodies.ts';
import { checkBody } from './check-body.ts';
import { incomingOf, type BoundRoute, type HttpContext, type HttpEnv } from './http-env.ts';
import { readBody, readRequest, type ReceivedBody } from './read-body.ts';
import { callerFields } from './request-event.ts';
import { setHeader } from './set-header.ts';
import { malformed } from './validation-error.ts';

const jsonType = /^application\/([a-z.-]+\+)?json(;\s*[a-z0-9-]+=[^;]+)*$/i;
const EMPTY: ReceivedBody = { bytes: Buffer.alloc(0), release: () => undefined };

/** Before the verb: who is calling, and whether it is too often, by the headers alone; then the body, whole and bounded; then what the schema makes of it. */
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

/** A body that nobody asked for is read too, so that its connection stays usable; on GET only where the contract has one. */
const hasBody = (c: HttpContext, route: BoundRoute): boolean =>
  route.takesBody || (c.req.method !== 'GET' && c.req.method !== 'HEAD');

function receive(c: HttpContext, { bodyLimit: limit }: Pick<BoundRoute, 'bodyLimit'>): Promise<ReceivedBody> {
  const incoming = incomingOf(c);
  if (!incoming) return readRequest(c.req.raw, limit);
  const from = { actor: c.get('actor'), address: c.get('client').address };
  return readBody(incoming, { limit, receive: (giveUp) => c.get('intake').receive(from, giveUp) });
}

function check(c: HttpContext, route: BoundRoute, schema: z.ZodType, bytes: Buffer): unknown {
  if (bytes.length > 0 && !jsonType.test(c.req.header('content-type') ?? '')) {
    throw malformed('header', 'content-type', 'must be application/json', 'content_type');
  }
  const key = `${route.method} ${route.path}`;
  if (bytes.length <= LARGE_BODY || !(key in largeBodies)) {
    const body = checkBody(schema, bytes, route.bodyLimit);
    // Fields that must be there have been named by now.
    if (bytes.length === 0 && route.requiresBody) throw malformed('body', null, 'Field required', 'missing');
    return body;
  }
  const actor = c.get('actor');
  const holder = 'customerId' in actor ? actor.customerId : '';
  return c.get('checkUpload')(holder, { key, bytes, limit: route.bodyLimit });
}
