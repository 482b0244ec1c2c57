import { AnswerError, isPassing } from './call-errors.ts';

/**
 * Answers in a row that make a 401 or a 404 believed. They come with the pauses of the caller's retries: beats within half an
 * interval, so some 12 s at 10 s; polls and reports with 0.5 s doubling, so some 4 s.
 */
export const CONFIRMED_BY = 5;

/**
 * A running session whose token and task were good a moment ago is told once that they are not: a coordinator or a proxy in
 * front of it that is restarting says that too, and a session that believed it would be lost for good. So 401 and 404 are doubtful
 * until they have been said five times in a row. Other refusals, STALE_EPOCH above all, are final at once.
 */
export class Doubt {
  #said = 0;

  /** Tells of each failed call; true once it is the last word. What passes by itself neither confirms nor clears. */
  isFinal(error: unknown): error is AnswerError {
    if (!(error instanceof AnswerError) || isPassing(error)) return false;
    if (error.status !== 401 && error.status !== 404) return true;
    this.#said += 1;
    return this.#said >= CONFIRMED_BY;
  }

  /** Tells of each good answer. */
  clear(): void {
    this.#said = 0;
  }
}
