import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Dialect } from '../../contract/errors.ts';
import { DomainError } from '../errors.ts';
import { renderDetail } from './dialects/detail.ts';
import { renderEnvelope } from './dialects/envelope.ts';
import { renderError } from './dialects/error.ts';
import type { Failure, Rendered } from './dialects/failure.ts';
import type { HttpContext } from './http-env.ts';

const renderers: Record<Dialect, (failure: Failure) => Rendered> = {
  envelope: renderEnvelope,
  detail: renderDetail,
  error: renderError,
};

/** Anything thrown -> the response of the dialect. Unknown errors go to the log whole and to the caller as an id. */
export function failWith(c: HttpContext, dialect: Dialect, error: unknown): Response {
  const known = error instanceof DomainError;
  const kind = known ? error.kind : 'internal';
  if (!known) c.get('event')['err'] = error;
  if (known && error.cause instanceof Error) c.get('event')['cause'] = error.cause.message;
  if (known && error.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  // What is still to come of it would be taken for the next request.
  if (kind === 'too_slow') c.header('Connection', 'close');
  return renderFailure(c, dialect, {
    kind,
    message: known ? error.message : `Internal error. Quote the request id ${c.get('requestId')} when you report it.`,
    code: known ? error.code : undefined,
    fields: known ? error.fields : [],
  });
}

/** Renders in `dialect`, or in the route's own dialect for validation failures. */
export function renderFailure(
  c: HttpContext,
  dialect: Dialect,
  failure: Omit<Failure, 'path' | 'timestamp'>,
): Response {
  const spoken = failure.kind === 'validation' ? (c.get('route')?.validationDialect ?? dialect) : dialect;
  const timestamp = Math.floor(c.get('now')().getTime() / 1000);
  const { status, body } = renderers[spoken]({ ...failure, path: c.req.path, timestamp });
  if (failure.kind === 'unauthenticated') c.header('WWW-Authenticate', 'Bearer');
  c.get('event')['error_kind'] = failure.kind;
  if (failure.code !== undefined) c.get('event')['error_code'] = failure.code;
  // Every status of the tables carries a body; hono's type only excludes 101, 204, 205 and 304.
  return c.json(body, status as ContentfulStatusCode);
}
