export type RunnerErrorCode = 'missing' | 'not-executable' | 'wrong-schema' | 'malformed-line' | 'deadline' | 'crashed';

/** The runner itself did not work (as opposed to: it worked, and reports a failed device). Carries what to do about it. */
export class RunnerError extends Error {
  readonly code: RunnerErrorCode;
  readonly remedy: string;

  constructor(code: RunnerErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RunnerError';
    this.code = code;
    this.remedy = remedy;
  }
}
