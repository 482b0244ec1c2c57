import type { Failure, FailureKind, Rendered } from './failure.ts';

/**
 * `{detail: [{loc, msg, type}]}`; one entry per field, or one for the whole request with the location of the table. `loc` holds
 * strings only: the index of an array is written as text.
 */
const table: Record<FailureKind, [status: number, type: string, loc: string[]]> = {
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
  rate_limited: [429, 'rate_limited', []],
  internal: [500, 'internal_error', []],
  unavailable: [503, 'unavailable', []],
};

export function renderDetail(failure: Failure): Rendered {
  const [status, type, loc] = table[failure.kind];
  const whole = { loc, msg: failure.message, type };
  const fields = failure.fields.map((field) => ({ loc: field.path.map(String), msg: field.message, type: field.type }));
  return { status, body: { detail: fields.length > 0 ? fields : [whole] } };
}
