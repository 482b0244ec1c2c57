/** No answer: refused, unresolved, timed out, cut off, or an answer that is not the coordinator's. */
export class NoAnswerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoAnswerError';
  }
}

/** Somebody answered whose certificate is not the coordinator's, as far as this machine can tell. */
export class UntrustedError extends NoAnswerError {
  constructor(code: string, cause?: unknown) {
    super(`its certificate is not trusted: ${code}`, cause);
    this.name = 'UntrustedError';
  }
}

/** The coordinator answered with an error of its dialect `{error: {code, message}}`. */
export class AnswerError extends Error {
  readonly status: number;
  readonly code: string;
  /** Milliseconds of the Retry-After header, null without one. */
  readonly retry_after_ms: number | null;

  constructor(status: number, code: string, message: string, retryAfterMs: number | null) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
    this.code = code;
    this.retry_after_ms = retryAfterMs;
  }
}

/** Network trouble, 408, 429 and 5xx pass; every other answer of the coordinator is final, whatever the call. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  return error instanceof AnswerError && (error.status === 408 || error.status === 429 || error.status >= 500);
}
