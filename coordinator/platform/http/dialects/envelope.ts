import type { Failure, FailureKind, Rendered } from './failure.ts';

/** `{meta, data}`; `meta.code` is the verb's own number, else the HTTP status. */
const statuses: Record<FailureKind, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  state: 409,
  too_large: 413,
  too_slow: 408,
  validation: 422,
  rate_limited: 429,
  // Carbon's business errors are 500 by the interface
  business: 500,
  internal: 500,
  unavailable: 503,
};

/** Codes with a status of their own: dates in the wrong order, no active subscription, product not in the tier. */
const statusOfCode: Record<string, number> = { 10008: 400, 34001: 403, 34004: 403 };

export function renderEnvelope(failure: Failure): Rendered {
  const status = statusOfCode[String(failure.code)] ?? statuses[failure.kind];
  const prefix = failure.kind === 'validation' && failure.code === undefined ? 'Parameter value error: ' : '';
  const meta = {
    code: typeof failure.code === 'number' ? failure.code : status,
    url: failure.path,
    message: prefix + failure.message,
    timestamp: failure.timestamp,
    args: [],
    kwargs: {},
  };
  return { status, body: { meta, data: {} } };
}

/** The wrapper of a success. */
export const wrapEnvelope = (data: unknown, path: string, timestamp: number) => ({
  meta: envelopeMetaOf(path, timestamp),
  data,
});

export const envelopeMetaOf = (path: string, timestamp: number) => ({ code: 0, url: path, message: 'OK', timestamp });
