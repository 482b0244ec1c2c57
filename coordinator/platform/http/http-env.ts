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
  /** As in the contract: `/api/gpu-mark/v1/jobs/{job_id}`. */
  path: string;
  access: AccessKind;
  needs: Needs;
  dialect: Dialect;
  /** Dialect of validation failures; the user endpoints wrap everything but these. */
  validationDialect: Dialect;
  bodyLimit: number;
  takesBody: boolean;
  /** Without any bytes there is no body, also if every field of it may be absent. */
  requiresBody: boolean;
  /** Each call takes a token of its caller's bucket, see ../limits. */
  isLimited: boolean;
  /** Served but not part of the OpenAPI document: pages and assets. */
  hidden: boolean;
}

export interface HttpEnv {
  /** `incoming` and `outgoing` if a real socket is behind the request. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    client: Client;
    admit: Admit;
    intake: Intake;
    checkUpload: CheckUpload;
    now: () => Date;
    actor: Actor;
    /** As the route's schema made it. */
    body: unknown;
    route: BoundRoute | undefined;
    /** Fields of the request's one log line. */
    event: Record<string, unknown>;
  };
}

export type HttpContext = HonoContext<HttpEnv>;

/** The node request behind `c`, or undefined for a request made inside the process. */
export const incomingOf = (c: HttpContext): HttpBindings['incoming'] | undefined => bindingsOf(c).incoming;

/** hono leaves env undefined when a test calls app.request without one. */
export function bindingsOf(c: HttpContext): HttpEnv['Bindings'] {
  const env: HttpEnv['Bindings'] | undefined = c.env;
  return env ?? {};
}
