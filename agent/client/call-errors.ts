import { ExitError } from '../run/exit-error.ts';

/** No answer: refused, unresolved, timed out, cut off, or an answer that does not come from the coordinator. */
export class NoAnswerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoAnswerError';
  }
}

/** The server's certificate is not trusted by this machine. */
export class UntrustedError extends NoAnswerError {
  readonly code: string;
  /** Milliseconds since 1970 by this machine's clock. */
  readonly at: number;

  constructor(code: string, at: number, cause?: unknown) {
    super(`its certificate is not trusted: ${code}`, cause);
    this.name = 'UntrustedError';
    this.code = code;
    this.at = at;
  }
}

/** The coordinator answered with an error in its format `{error: {code, message}}`. */
export class AnswerError extends Error {
  readonly status: number;
  readonly code: string;
  /** The Retry-After header in milliseconds; null without one. */
  readonly retry_after_ms: number | null;

  constructor(status: number, code: string, message: string, retryAfterMs: number | null) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
    this.code = code;
    this.retry_after_ms = retryAfterMs;
  }
}

/**
 * Network errors, 408, 429 and 5xx are temporary; every other answer of the coordinator is final, whatever the call.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  return error instanceof AnswerError && (error.status === 408 || error.status === 429 || error.status >= 500);
}

/** Remedies for final errors, by the coordinator's error code. */
const REMEDIES: Record<string, string> = {
  CLIENT_TOKEN_INVALID: 'Take the current token from the job, or create a new job.',
  STALE_EPOCH: 'Another agent was started on this machine after this one stopped answering, and its result counts.',
  TASK_SECRET_INVALID: 'The result belongs to another session of this machine. Create a new job to measure again.',
  RESULT_LIMIT: 'The job already has a result of this machine that counts. Create a new job to measure again.',
  JOB_FULL: 'Create the job with a larger node_count, or another job for this machine.',
  JOB_NOT_ACTIVE: 'Create a new job: this one has ended.',
  RESOURCE_ALREADY_EXISTS: 'This machine has delivered its result for this job. Create a new job to measure again.',
  MACHINE_ALREADY_ACTIVE:
    'Another agent runs under this machine identity. Stop it, or give each agent on one machine its own GPUMARK_MACHINE_ID.',
};

/** Also in the messages about --ca. */
export const SET_CLOCK = 'set the clock (timedatectl set-ntp true, chronyc makestep)';

const UNTRUSTED =
  'If an authority of your own signed it, name the certificate of that authority: --ca FILE (PEM), or GPUMARK_CA.';

/** A certificate outside its time is more often a wrong clock here than a fault there. */
function untrustedRemedy({ code, at }: UntrustedError): string {
  const clock = `This machine’s clock says ${new Date(at).toISOString()}`;
  if (code === 'CERT_NOT_YET_VALID') return `${clock}, before the certificate begins: ${SET_CLOCK}.`;
  if (code === 'CERT_HAS_EXPIRED')
    return `${clock}: if that is wrong, ${SET_CLOCK}; else the coordinator needs a new certificate.`;
  return UNTRUSTED;
}

/** Converts an error of a call into the program's exit error. */
export function refusal(error: unknown, coordinator: string): ExitError {
  if (error instanceof ExitError) return error;
  if (!(error instanceof AnswerError)) {
    const why = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof UntrustedError ? untrustedRemedy(error) : null;
    return new ExitError('unreachable', `the coordinator at ${coordinator} cannot be reached (${why})`, remedy, error);
  }
  const remedy = REMEDIES[error.code] ?? null;
  const words = `the coordinator refuses: ${error.message} (${error.code})`;
  if ([401, 403, 404, 409].includes(error.status)) return new ExitError('refused', words, remedy, error);
  if (isPassing(error)) {
    return new ExitError(
      'unreachable',
      `the coordinator at ${coordinator} cannot serve the request: ${error.message} (${error.code})`,
      null,
      error,
    );
  }
  return new ExitError(
    'bug',
    words,
    'Agent and coordinator disagree about the protocol: check that both have the same version.',
    error,
  );
}
