import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext } from 'hono';
import type { AccessKind, Needs } from '../../contract/access.ts';
import type { Dialect } from '../../contract/errors.ts';
import type { Actor } from '../actor.ts';
import type { Client } from '../context.ts';
import type { Admit } from './auth/admit.ts';
import type { Intake } from './intake.ts';
import type { CheckUpload } from './upload-threads.ts';

/** One operation as bound to the router. */
export interface BoundRoute {
  method: string;
  /** Pattern from the contract: `/api/gpu-mark/v1/jobs/{job_id}`. */
  path: string;
  access: AccessKind;
  needs: Needs;
  dialect: Dialect;
  /** Dialect of validation failures; the user endpoints wrap everything except these. */
  validationDialect: Dialect;
  bodyLimit: number;
  takesBody: boolean;
  /** An empty body is an error, even if all of its fields are optional. */
  requiresBody: boolean;
  /** Each call takes a token from its caller's bucket, see ../limits. */
  isLimited: boolean;
  /** Served but not in the OpenAPI document: pages and assets. */
  hidden: boolean;
}

export interface HttpEnv {
  /** `incoming` and `outgoing` if the request came over a real socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    client: Client;
    admit: Admit;
    intake: Intake;
    checkUpload: CheckUpload;
    now: () => Date;
    actor: Actor;
    /** Output of the route's schema. */
    body: unknown;
    route: BoundRoute | undefined;
    /** Fields of the request's one log line. */
    event: Record<string, unknown>;
  };
}

export type HttpContext = HonoContext<HttpEnv>;

/** The node request behind `c`, or undefined for a request made inside the process. */
export const incomingOf = (c: HttpContext): HttpBindings['incoming'] | undefined => bindingsOf(c).incoming;

/** The path of the request as it was sent, with its percent-encoding, which `c.req.path` lacks. */
export function pathAsSent(c: HttpContext): string {
  const target = incomingOf(c)?.url ?? c.req.url;
  // A request in absolute form (RFC 9112, 3.2.2) has scheme and host in front.
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/';
}

/** hono leaves env undefined when a test calls app.request without one. */
export function bindingsOf(c: HttpContext): HttpEnv['Bindings'] {
  const env: HttpEnv['Bindings'] | undefined = c.env;
  return env ?? {};
}
