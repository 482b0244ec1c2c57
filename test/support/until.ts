import { setTimeout as delay } from 'node:timers/promises';

/** No promise about time: a hang gets a name before the runner ends the test (--test-timeout, 300 s) without one. */
export const HANG_MS = 240_000;

type Found<T> = T extends false | null | undefined ? never : T;

/**
 * Asks until the answer is neither false, null nor undefined, and gives it. `what` names the hang, should it be one;
 * programs that wait for hours give a `hangMs` of their own.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  everyMs = 20,
  hangMs = HANG_MS,
): Promise<Found<T>> {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer as Found<T>;
    if (performance.now() - began > hangMs) throw new Error(`did not happen: ${what}`);
    await delay(everyMs);
  }
}
