import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Dialect } from '../../contract/errors.ts';
import { bodyLimit } from '../../contract/body-limit.ts';
import type { Context, Platform } from '../context.ts';
import { wrapEnvelope } from './dialects/envelope.ts';
import { documented } from './documented.ts';
import type { FastOperation } from './fast-lane.ts';
import { guard } from './guard.ts';
import type { BoundRoute, HttpContext, HttpEnv } from './http-env.ts';
import { failWith } from './render-failure.ts';
import { Reply } from './reply.ts';
import type { InputOf, OkBody, Route, SuccessBody } from './route-types.ts';
import { validationError } from './validation-error.ts';

/** Answers a call. A plain result is status 200; `reply` for others; a Response goes out as it is. */
export type Handler<R> = (context: Context, input: InputOf<R>) => Promise<OkBody<R> | Reply<SuccessBody<R>> | Response>;

/** The operations of one product area, all in one error dialect. */
export interface Area {
  app: OpenAPIHono<HttpEnv>;
  routes: BoundRoute[];
  /** Binds a contract route to its verb. Static paths before those with a parameter in the same place. */
  on: <R extends Route>(route: R, handler: Handler<R>, options?: { hidden?: boolean }) => void;
  /** Operations that are also served past the router, see fast-lane.ts. */
  fast: FastOperation[];
  /** `on` for a POST that machines call by the thousand and whose answers are plain. */
  onFast: <R extends Route>(
    route: R,
    handler: (context: Context, input: InputOf<R>) => Promise<OkBody<R> & object>,
  ) => void;
}

/** A sub-app whose validation failures and thrown errors are rendered in `dialect`. */
export function createArea(platform: Platform, dialect: Dialect): Area {
  const routes: BoundRoute[] = [];
  const fast: FastOperation[] = [];
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.target, result.error.issues);
    },
  });
  app.onError((error, c) => failWith(c, dialect, error));
  const area: Area = {
    app,
    routes,
    fast,
    onFast: (route, handler) => {
      area.on(route, handler);
      // A call with parameters goes the ordinary way: what is left is a query without any.
      const asked = route.request?.query;
      const query: unknown = asked instanceof z.ZodType ? asked.parse({}) : undefined;
      const answer = (context: Context, body: unknown, headers: unknown) =>
        // Both have passed the route's own schemas, as in `respond` below.
        handler(context, { body, params: undefined, query, headers } as InputOf<typeof route>);
      const named = route.request?.headers;
      const headers = named instanceof z.ZodType ? named : null;
      fast.push({ route: boundRoute(route, false), body: bodySchema(route), headers, answer });
    },
    on: (route, handler, options = {}) => {
      if (route['x-dialect'] !== dialect)
        throw new Error(`${route.path} speaks ${route['x-dialect']}, its area ${dialect}`);
      const bound = boundRoute(route, options.hidden ?? false);
      routes.push(bound);
      if (!bound.hidden) app.openAPIRegistry.registerPath(documented(route, bound));
      const respond = async (c: HttpContext) => {
        const input: unknown = validatedInput(c);
        // The validators before this handler ran exactly the schemas that InputOf<R> is computed from.
        const result = await handler(contextOf(platform, c), input as InputOf<typeof route>);
        return toResponse(c, dialect, result);
      };
      for (const path of spellings(route.path)) bind(app, { ...route, path }, bound, respond);
    },
  };
  return area;
}

function bodySchema({ path, request }: Route): z.ZodType {
  const media = request?.body?.content['application/json'];
  const schema = media !== undefined && 'schema' in media ? media.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`${path} has no JSON body`);
  // Generated code for what is right; what is wrong goes through the schema itself, which says why.
  return z.compile(schema);
}

/** Asked by probes and scrapers every few seconds from one address; a signed URL was paid for when it was handed out. */
const UNLIMITED = new Set(['/healthz', '/readyz', '/metrics']);

function boundRoute(route: Route, hidden: boolean): BoundRoute {
  return {
    method: route.method.toUpperCase(),
    path: route.path,
    access: route['x-access'],
    needs: route['x-needs'] ?? {},
    dialect: route['x-dialect'],
    validationDialect: route['x-validation-dialect'] ?? route['x-dialect'],
    bodyLimit: route['x-body-limit'] ?? bodyLimit.form,
    takesBody: route.request?.body !== undefined,
    requiresBody: route.request?.body?.required === true,
    isLimited: route['x-access'] !== 'signed-url' && !UNLIMITED.has(route.path),
    hidden,
  };
}

/** The router tells `/providers/` from `/providers`; where the contract shows the slash both are served. */
const spellings = (path: string): string[] =>
  path.length > 1 && path.endsWith('/') ? [path, path.slice(0, -1)] : [path];

function bind(
  app: OpenAPIHono<HttpEnv>,
  route: Route,
  bound: BoundRoute,
  respond: (c: HttpContext) => Promise<Response>,
): void {
  // The guard has checked the body, a large one on a thread of its own; the router would do it once more.
  const { body, ...request } = route.request ?? {};
  const schema = body === undefined ? null : bodySchema(route);
  app.openapi({ ...route, request, hide: true, middleware: [guard(bound, schema)] }, respond);
}

function validatedInput(c: HttpContext): Record<string, unknown> {
  const request = (c as HttpContext & { req: { valid: (target: 'param' | 'query' | 'header') => unknown } }).req;
  return {
    params: request.valid('param'),
    query: request.valid('query'),
    headers: request.valid('header'),
    body: c.get('body'),
  };
}

function contextOf(platform: Platform, c: HttpContext): Context {
  const event = c.get('event');
  return {
    ...platform,
    actor: c.get('actor'),
    client: c.get('client'),
    requestId: c.get('requestId'),
    note: (fields) => void Object.assign(event, fields),
  };
}

function toResponse(c: HttpContext, dialect: Dialect, result: unknown): Response {
  if (result instanceof Response) return c.newResponse(result.body, result);
  const { status, body, headers } = result instanceof Reply ? result : new Reply(200, result, {});
  const timestamp = Math.floor(c.get('now')().getTime() / 1000);
  const wire: object = dialect === 'envelope' ? wrapEnvelope(body, c.req.path, timestamp) : Object(body);
  return c.json(wire, status as ContentfulStatusCode, headers);
}
