import { AnswerError, isPassing } from './call-errors.ts';

/**
 * Number of consecutive answers after which a 401 or a 404 is accepted as final. The caller's back-off spaces them:
 * failed beats are repeated within half an interval, which takes about 12 s at an interval of 10 s; polls and reports
 * wait 0.5 s, doubling, which takes about 4 s.
 */
export const CONFIRMED_BY = 5;

/**
 * A restarting coordinator, or a proxy in front of it, may answer 401 or 404 to a session whose token and task are
 * valid, and a session that accepted it would be lost. So 401 and 404 count only after five consecutive answers. Other
 * refusals, STALE_EPOCH above all, are final at once.
 */
export class Doubt {
  #said = 0;

  /** Call on each failed call; true once the error is final. Temporary errors neither confirm nor clear. */
  isFinal(error: unknown): error is AnswerError {
    if (!(error instanceof AnswerError) || isPassing(error)) return false;
    if (error.status !== 401 && error.status !== 404) return true;
    this.#said += 1;
    return this.#said >= CONFIRMED_BY;
  }

  /** Call on each successful answer. */
  clear(): void {
    this.#said = 0;
  }
}
