import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Dialect } from '../../contract/errors.ts';
import { DomainError, StoreError } from '../errors.ts';
import { renderDetail, renderEnvelope, type Failure, type Rendered, renderError } from './dialects.ts';
import { type BoundRoute, type HttpContext, pathAsSent } from './http-env.ts';

const renderers: Record<Dialect, (failure: Failure) => Rendered> = {
  envelope: renderEnvelope,
  detail: renderDetail,
  error: renderError,
};

/** The failed call. */
interface FailedCall {
  dialect: Dialect;
  /** undefined if no route matched */
  route: Pick<BoundRoute, 'validationDialect'> | undefined;
  path: string;
  requestId: string;
  now: Date;
}

/** The answer to a failure, and the fields of its log line. */
interface FailureAnswer extends Rendered {
  headers: Record<string, string>;
  event: Record<string, unknown>;
}

/** Renders anything thrown in the call's dialect. Unknown errors are logged in full; the caller gets the request id. */
export function answerError(call: FailedCall, error: unknown): FailureAnswer {
  if (error instanceof StoreError) return answerError(call, storeAway(error));
  if (!(error instanceof DomainError)) {
    const message = `Internal error. Quote the request id ${call.requestId} when you report it.`;
    const answer = answerFailure(call, { kind: 'internal', message, code: undefined, fields: [] });
    return { ...answer, event: { ...answer.event, err: error } };
  }
  const { kind, message, code, fields, cause, retryAfterSeconds } = error;
  const answer = answerFailure(call, { kind, message, code, fields });
  if (cause instanceof Error) answer.event['cause'] = cause.message;
  if (retryAfterSeconds !== undefined)
    answer.headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  // What would be read (RFC 9110, 15.5.16).
  if (kind === 'unsupported') answer.headers['Accept-Encoding'] = 'identity';
  // On an open connection the rest of the body would be mistaken for the next request.
  if (kind === 'too_slow') answer.headers['Connection'] = 'close';
  return answer;
}

/** Seconds after which to retry a full or unreachable artifact store. */
const STORE_RETRY_SECONDS = 30;

const storeAway = (cause: StoreError): DomainError =>
  new DomainError('unavailable', 'Files can be neither stored nor read just now; send this again in a while.', {
    retryAfterSeconds: STORE_RETRY_SECONDS,
    cause,
  });

/** Renders a failure in the call's dialect, or a validation failure in the route's `validationDialect`. */
function answerFailure(call: FailedCall, failure: Omit<Failure, 'path' | 'timestamp'>): FailureAnswer {
  const { kind, code } = failure;
  const spoken = kind === 'validation' ? (call.route?.validationDialect ?? call.dialect) : call.dialect;
  const timestamp = Math.floor(call.now.getTime() / 1000);
  return {
    ...renderers[spoken]({ ...failure, path: call.path, timestamp }),
    headers: kind === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {},
    event: { error_kind: kind, ...(code !== undefined && { error_code: code }) },
  };
}

/** `answerError` as the router's answer. */
export const failWith = (c: HttpContext, dialect: Dialect, error: unknown): Response =>
  respond(c, answerError(callOf(c, dialect), error));

/** A failure that no verb raises, as the router's answer. */
export const renderFailure = (
  c: HttpContext,
  dialect: Dialect,
  failure: Omit<Failure, 'path' | 'timestamp'>,
): Response => respond(c, answerFailure(callOf(c, dialect), failure));

const callOf = (c: HttpContext, dialect: Dialect): FailedCall => ({
  dialect,
  route: c.get('route'),
  path: pathAsSent(c),
  requestId: c.get('requestId'),
  now: c.get('now')(),
});

function respond(c: HttpContext, { status, body, headers, event }: FailureAnswer): Response {
  Object.assign(c.get('event'), event);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  // Every status in the tables has a body; hono's type excludes only 101, 204, 205 and 304.
  return c.json(body, status as ContentfulStatusCode);
}
