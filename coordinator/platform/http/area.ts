import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { bodyLimit } from '../../contract/body-limit.ts';
import type { Dialect } from '../../contract/errors.ts';
import type { Context, Platform } from '../context.ts';
import { wrapEnvelope } from './dialects.ts';
import { guard } from './guard.ts';
import { type BoundRoute, type HttpContext, type HttpEnv, pathAsSent } from './http-env.ts';
import { failWith } from './render-failure.ts';
import type { InputOf, OkBody, Route, SuccessBody } from './route-types.ts';
import { documented } from './service/openapi-document.ts';
import { validationError } from './validation-error.ts';

/** Answers a call. A plain result is sent with status 200; `reply` sets other statuses; a Response is sent unchanged. */
type Handler<R> = (context: Context, input: InputOf<R>) => Promise<OkBody<R> | Reply<SuccessBody<R>> | Response>;

/** A bound route with everything needed to answer calls to it. */
export interface Operation {
  route: BoundRoute;
  /** Schema of the body, with compiled code for valid input; null if the operation takes no body. */
  body: z.ZodType | null;
  query: z.ZodType | null;
  headers: z.ZodType | null;
  /** `input` has passed the schemas of the route. */
  call: (context: Context, input: Record<keyof InputOf<Route>, unknown>) => Promise<unknown>;
}

/** The operations of one product area, all with the same error dialect. */
export interface Area {
  app: OpenAPIHono<HttpEnv>;
  operations: Operation[];
  /** Binds a contract route to its verb. Bind static paths before those with a parameter in the same position. */
  on: <R extends Route>(route: R, handler: Handler<R>, options?: { hidden?: boolean }) => void;
}

/** A sub-app whose validation failures and thrown errors are rendered in `dialect`. */
export function createArea(platform: Platform, dialect: Dialect): Area {
  const operations: Operation[] = [];
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.target, result.error.issues);
    },
  });
  app.onError((error, c) => failWith(c, dialect, error));
  const area: Area = {
    app,
    operations,
    on: (route, handler, options = {}) => {
      if (route['x-dialect'] !== dialect)
        throw new Error(`${route.path} speaks ${route['x-dialect']}, its area ${dialect}`);
      const bound = boundRoute(route, options.hidden ?? false);
      // `input` has passed exactly the schemas that InputOf<R> is computed from.
      const call: Operation['call'] = (context, input) => handler(context, input as unknown as InputOf<typeof route>);
      const operation: Operation = { route: bound, ...schemasOf(route), call };
      operations.push(operation);
      if (!bound.hidden) app.openAPIRegistry.registerPath(documented(route, bound));
      const respond = async (c: HttpContext) => {
        return toResponse(c, dialect, await call(contextOf(platform, c), validatedInput(c)));
      };
      for (const path of spellings(route.path)) bind(app, { ...route, path }, operation, respond);
    },
  };
  return area;
}

function schemasOf({ path, request }: Route): Pick<Operation, 'body' | 'query' | 'headers'> {
  const { body, query, headers } = request ?? {};
  const media = body?.content['application/json'];
  const schema = media !== undefined && 'schema' in media ? media.schema : undefined;
  if (body !== undefined && !(schema instanceof z.ZodType)) throw new Error(`${path} has no JSON body`);
  return {
    // The compiled code accepts valid input; invalid input goes through the schema itself, which reports why.
    body: schema instanceof z.ZodType ? z.compile(schema) : null,
    query: query instanceof z.ZodType ? query : null,
    headers: headers instanceof z.ZodType ? headers : null,
  };
}

/** Requested by probes and scrapers every few seconds from one address; signed URLs were charged when they were issued. */
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

/** The router distinguishes `/providers/` from `/providers`; if the contract has the slash, both are served. */
const spellings = (path: string): string[] =>
  path.length > 1 && path.endsWith('/') ? [path, path.slice(0, -1)] : [path];

function bind(
  app: OpenAPIHono<HttpEnv>,
  route: Route,
  operation: Operation,
  respond: (c: HttpContext) => Promise<Response>,
): void {
  // Without the body schema, so that the router does not repeat the guard's check, which uses a worker thread for large bodies.
  const { body: _checked, ...request } = route.request ?? {};
  app.openapi({ ...route, request, hide: true, middleware: [guard(operation.route, operation.body)] }, respond);
}

function validatedInput(c: HttpContext): Parameters<Operation['call']>[1] {
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
  const wire: object = dialect === 'envelope' ? wrapEnvelope(body, pathAsSent(c), timestamp) : Object(body);
  return c.json(wire, status as ContentfulStatusCode, headers);
}

/** A handler's result if the answer is not a plain 200 or has headers of its own. */
class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Body, headers: Record<string, string>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** `reply(201, job)`; in the envelope dialect the area wraps `body` as it wraps a plain result. */
export const reply = <Body>(status: number, body: Body, headers: Record<string, string> = {}): Reply<Body> =>
  new Reply(status, body, headers);
