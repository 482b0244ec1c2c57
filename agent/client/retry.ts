import type { Clock, RandomSource } from '../run/host.ts';
import { AnswerError, isPassing } from './call-errors.ts';

export interface RetryPolicy {
  /** No attempt starts later than this after the first. */
  budget_ms: number;
  /**
   * The back-off before attempt n + 1 is uniform in [0, min(cap, base * 2^n)): full jitter, so that a fleet does not
   * retry in lockstep.
   */
  base_ms: number;
  cap_ms: number;
  retryIf: (error: unknown) => boolean;
}

export interface RetryTools {
  clock: Clock;
  random: RandomSource;
  signal?: AbortSignal | undefined;
  /** Called before each pause. */
  onRetry?: ((error: unknown, delayMs: number) => void) | undefined;
}

/** From 0.5 s doubling to 8 s: about 16 attempts in 60 s on average, 8 in the worst case. */
export const passingTrouble = (budgetMs: number): RetryPolicy => ({
  budget_ms: budgetMs,
  base_ms: 500,
  cap_ms: 8_000,
  retryIf: isPassing,
});

/**
 * Runs `attempt` until it succeeds; throws the last error if it is final, the budget is used up, or the signal aborts.
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  tools: RetryTools,
  attempt: (remainingMs: number) => Promise<T>,
): Promise<T> {
  const start = tools.clock.elapsed();
  for (let tries = 0; ; tries += 1) {
    const remaining = policy.budget_ms - (tools.clock.elapsed() - start);
    try {
      return await attempt(Math.max(1, remaining));
    } catch (error) {
      const delay = retryDelay(policy, tries, error, tools.random);
      const spent = tools.clock.elapsed() - start;
      if (!policy.retryIf(error) || spent + delay > policy.budget_ms || isStopped(tools)) throw error;
      tools.onRetry?.(error, delay);
      await tools.clock.sleep(delay, tools.signal);
      if (isStopped(tools)) throw error;
    }
  }
}

/** Never shorter than a Retry-After; the jitter is added to it. */
export function retryDelay(policy: RetryPolicy, tries: number, error: unknown, random: RandomSource): number {
  const asked = error instanceof AnswerError ? error.retry_after_ms : null;
  if (asked !== null) return asked + random.fraction() * policy.base_ms;
  return random.fraction() * Math.min(policy.cap_ms, policy.base_ms * 2 ** tries);
}

const isStopped = (tools: RetryTools): boolean => tools.signal?.aborted ?? false;
