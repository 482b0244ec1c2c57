import type { MiddlewareHandler } from 'hono';
import type { BoundRoute, HttpContext, HttpEnv } from './http-env.ts';
import { parseJson } from './parse-json.ts';
import { readBody } from './read-body.ts';
import { malformed } from './validation-error.ts';

const jsonType = /^application\/([a-z.-]+\+)?json(;\s*[a-z0-9-]+=[^;]+)*$/i;

/** Before validation and verb: the body whole and bounded, then who is calling. In this order, see read-body.ts. */
export function guard(route: BoundRoute): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    c.set('route', route);
    const body = hasBody(c, route) ? await readBody(c, route.bodyLimit) : new Uint8Array();
    const actor = await c.get('authenticate')(route.access, c.req.header('authorization'));
    c.set('actor', actor);
    c.get('event')['actor'] = actor.kind;
    if ('customerId' in actor) c.get('event')['customer_id'] = actor.customerId;
    if (route.takesBody) serveJson(c, body);
    await next();
  };
}

/** A body that nobody asked for is read too, so that its connection stays usable; on GET only where the contract has one. */
const hasBody = (c: HttpContext, route: BoundRoute): boolean =>
  route.takesBody || (c.req.method !== 'GET' && c.req.method !== 'HEAD');

/** Lets the validators, which ask hono for the JSON, get our exact parse of it. */
function serveJson(c: HttpContext, body: Uint8Array): void {
  const empty = body.length === 0;
  if (!empty && !jsonType.test(c.req.header('content-type') ?? '')) {
    throw malformed('header', 'content-type', 'must be application/json', 'content_type');
  }
  // Without a type the router would look for a body once more, in a stream that has been read.
  if (empty) c.req.raw.headers.set('content-type', 'application/json');
  const value = empty ? {} : parseJson(body);
  c.req.json = () => Promise.resolve(value as never);
}
