import { setTimeout } from 'node:timers/promises';
import { DomainError } from './errors.ts';

interface Limits {
  /** Maximum keys per look-up. */
  mostKeys: number;
  /** Maximum waiting callers; further ones are told to retry. */
  mostWaiting: number;
  /** From the end of one look-up to the start of the next. */
  pauseMs: number;
}

/**
 * Checks whether keys exist, many at a time, one look-up after the other: no matter how many callers ask for keys that do not
 * exist, the database gets at most one query per pause from them. Callers never share a look-up that started before they
 * asked, so a reported absence is never stale. A single caller does not wait.
 */
export function gatherLookUps(
  limits: Limits,
  look: (keys: string[]) => Promise<ReadonlySet<string>>,
): (key: string) => Promise<boolean> {
  let waiting: { key: string; settle: PromiseWithResolvers<boolean> }[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    for (; waiting.length > 0; await setTimeout(limits.pauseMs)) {
      const keys = new Set<string>();
      for (const { key } of waiting) if (keys.size < limits.mostKeys) keys.add(key);
      const asked = waiting.filter(({ key }) => keys.has(key));
      waiting = waiting.filter(({ key }) => !keys.has(key));
      await look([...keys]).then(
        (found) => asked.forEach(({ key, settle }) => settle.resolve(found.has(key))),
        (error: unknown) => asked.forEach(({ settle }) => settle.reject(error)),
      );
    }
    isBusy = false;
  };
  return (key) => {
    if (waiting.length >= limits.mostWaiting)
      return Promise.reject(
        new DomainError('unavailable', 'Too many unknown tokens are being looked up. Try again.', {
          retryAfterSeconds: 1,
        }),
      );
    const settle = Promise.withResolvers<boolean>();
    waiting.push({ key, settle });
    if (!isBusy) void work();
    return settle.promise;
  };
}
