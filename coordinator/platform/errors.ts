/**
 * The closed set of failures of a verb, independent of HTTP. Each dialect renders them by a table (http/dialects).
 * `message` is for the caller: it names the field and the remedy and never contains internals.
 */
export type ErrorKind =
  | 'validation'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'state'
  | 'too_large'
  | 'too_slow'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable'
  | 'business';

export interface FieldIssue {
  /** Path of the field; its first element is the location: body, query, path or header. */
  path: (string | number)[];
  message: string;
  type: string;
}

interface Options {
  /** Code for the answer if the usual code of the kind is too coarse, e.g. STALE_EPOCH or 34003. */
  code?: string | number;
  fields?: FieldIssue[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string | number | undefined;
  readonly fields: FieldIssue[];
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, message: string, options: Options = {}) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.code = options.code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The artifact store, of either kind, cannot store or return a file at the moment. The message is for the operator; callers
 * are told to retry, and work that needs a file waits.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** A field of the body is wrong for a reason that no schema can express. */
export const invalidField = (field: string, message: string): DomainError =>
  new DomainError('validation', `${field} ${message}`, {
    fields: [{ path: ['body', field], message, type: 'value_error' }],
  });

export const notFound = (what: string): DomainError => new DomainError('not_found', `${what} not found`);

/** A query parameter is wrong for a reason that no schema can express. */
export const invalidQuery = (name: string, message: string): DomainError =>
  new DomainError('validation', `${name} ${message}`, {
    fields: [{ path: ['query', name], message, type: 'value_error' }],
  });
