import type { ErrorKind, FieldIssue } from '../errors.ts';

/** All kinds of failure: those that verbs raise, and the two that only occur in HTTP. */
export type FailureKind = ErrorKind | 'method_not_allowed' | 'internal';

/** A failure to be rendered in a dialect. */
export interface Failure {
  kind: FailureKind;
  /** For the caller: names the field and the remedy, never internals. */
  message: string;
  code: string | number | undefined;
  fields: FieldIssue[];
  /** Request path, for the envelope. */
  path: string;
  /** Unix seconds, for the envelope. */
  timestamp: number;
}

export interface Rendered {
  status: number;
  body: Record<string, unknown>;
}

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
  unsupported: 415,
  validation: 422,
  rate_limited: 429,
  // The interface specifies 500 for carbon's business errors.
  business: 500,
  internal: 500,
  unavailable: 503,
};

/** Codes with their own HTTP status: invalid date range, no active subscription, product not in the tier. */
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

/** The body of a successful answer. */
export const wrapEnvelope = (data: unknown, path: string, timestamp: number) => ({
  meta: envelopeMetaOf(path, timestamp),
  data,
});

export const envelopeMetaOf = (path: string, timestamp: number) => ({ code: 0, url: path, message: 'OK', timestamp });

/**
 * `{detail: [{loc, msg, type}]}`; one entry per field, or one for the whole request with the location from this table. `loc`
 * contains only strings: array indexes are written as text.
 */
const details: Record<FailureKind, [status: number, type: string, loc: string[]]> = {
  validation: [422, 'value_error', ['body']],
  business: [422, 'request_refused', ['body']],
  unauthenticated: [401, 'unauthenticated', ['header', 'authorization']],
  forbidden: [403, 'permission_denied', ['header', 'authorization']],
  not_found: [404, 'not_found', ['path']],
  method_not_allowed: [405, 'method_not_allowed', ['path']],
  conflict: [409, 'conflict', ['body']],
  state: [409, 'state', ['body']],
  too_large: [413, 'too_large', ['body']],
  too_slow: [408, 'too_slow', ['body']],
  unsupported: [415, 'unsupported', ['header', 'content-encoding']],
  rate_limited: [429, 'rate_limited', []],
  internal: [500, 'internal_error', []],
  unavailable: [503, 'unavailable', []],
};

export function renderDetail(failure: Failure): Rendered {
  const [status, type, loc] = details[failure.kind];
  const whole = { loc, msg: failure.message, type };
  const fields = failure.fields.map((field) => ({ loc: field.path.map(String), msg: field.message, type: field.type }));
  return { status, body: { detail: fields.length > 0 ? fields : [whole] } };
}

/** Benchmark jobs, tasks and the agent protocol: `{error: {code, message}}`. A verb's own code overrides the table's. */
const codes: Record<FailureKind, [status: number, code: string]> = {
  validation: [400, 'PARAMETER_INCORRECT_VALUE'],
  state: [400, 'PARAMETER_INCORRECT_VALUE'],
  business: [400, 'REQUEST_REFUSED'],
  unauthenticated: [401, 'CLIENT_TOKEN_INVALID'],
  forbidden: [403, 'PERMISSION_DENIED'],
  not_found: [404, 'RESOURCE_NOT_FOUND'],
  method_not_allowed: [405, 'METHOD_NOT_ALLOWED'],
  conflict: [409, 'RESOURCE_ALREADY_EXISTS'],
  too_large: [413, 'BODY_TOO_LARGE'],
  too_slow: [408, 'REQUEST_TIMEOUT'],
  unsupported: [415, 'UNSUPPORTED_ENCODING'],
  rate_limited: [429, 'TOO_MANY_REQUESTS'],
  internal: [500, 'INTERNAL_ERROR'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
};

export function renderError(failure: Failure): Rendered {
  const [status, code] = codes[failure.kind];
  return { status, body: { error: { code: String(failure.code ?? code), message: failure.message } } };
}
