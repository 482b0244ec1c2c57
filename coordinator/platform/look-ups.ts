import { setTimeout } from 'node:timers/promises';
import { DomainError } from './errors.ts';

interface Limits {
  /** Keys of one look. */
  mostKeys: number;
  /** Callers that may wait; further ones are told to come again. */
  mostWaiting: number;
  /** From the end of one look to the begin of the next. */
  pauseMs: number;
}

/**
 * Whether there is such a key, asked for many keys at a time, one look after the other: whatever number of callers asks for whatever is not there, the
 * database has at most one question per pause from them. Nobody shares a look that had begun before they asked, so an
 * absence is one of now. A caller alone does not wait.
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
