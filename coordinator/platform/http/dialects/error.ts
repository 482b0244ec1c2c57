import type { Failure, FailureKind, Rendered } from './failure.ts';

/** Benchmark jobs, tasks and the agent protocol: `{error: {code, message}}`. A verb's own code goes before the table's. */
const table: Record<FailureKind, [status: number, code: string]> = {
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
  rate_limited: [429, 'TOO_MANY_REQUESTS'],
  internal: [500, 'INTERNAL_ERROR'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
};

export function renderError(failure: Failure): Rendered {
  const [status, code] = table[failure.kind];
  return { status, body: { error: { code: String(failure.code ?? code), message: failure.message } } };
}
