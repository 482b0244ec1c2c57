export type RunnerErrorCode =
  | 'missing'
  | 'not-executable'
  | 'wrong-schema'
  | 'malformed-line'
  | 'deadline'
  | 'limit'
  | 'crashed';

/** The runner itself failed, as opposed to reporting a failed device. Carries a remedy. */
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
