import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Dialect } from '../../contract/errors.ts';
import { DomainError, StoreError } from '../errors.ts';
import { renderDetail, renderEnvelope, type Failure, type Rendered, renderError } from './dialects.ts';
import type { BoundRoute, HttpContext } from './http-env.ts';

const renderers: Record<Dialect, (failure: Failure) => Rendered> = {
  envelope: renderEnvelope,
  detail: renderDetail,
  error: renderError,
};

/** Which call failed. */
interface FailedCall {
  dialect: Dialect;
  /** undefined: no route matched */
  route: Pick<BoundRoute, 'validationDialect'> | undefined;
  path: string;
  requestId: string;
  now: Date;
}

/** What a failure becomes: the answer, and the fields of its line in the log. */
interface FailureAnswer extends Rendered {
  headers: Record<string, string>;
  event: Record<string, unknown>;
}

/** Anything thrown -> the answer in the call's dialect. Unknown errors go to the log whole and to the caller as an id. */
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
  // What is still to come of its body would be taken for the next request.
  if (kind === 'too_slow') answer.headers['Connection'] = 'close';
  return answer;
}

/** Seconds after which a full or unreachable store of files is worth another call. */
const STORE_RETRY_SECONDS = 30;

const storeAway = (cause: StoreError): DomainError =>
  new DomainError('unavailable', 'Files can be neither stored nor read just now; send this again in a while.', {
    retryAfterSeconds: STORE_RETRY_SECONDS,
    cause,
  });

/** In the call's dialect, or in the route's own for validation failures. */
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
  path: c.req.path,
  requestId: c.get('requestId'),
  now: c.get('now')(),
});

function respond(c: HttpContext, { status, body, headers, event }: FailureAnswer): Response {
  Object.assign(c.get('event'), event);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  // Every status of the tables carries a body; hono's type only excludes 101, 204, 205 and 304.
  return c.json(body, status as ContentfulStatusCode);
}
