import { setTimeout } from 'node:timers/promises';
import { DomainError } from './errors.ts';

interface Options {
  lifetimeMs: number;
  /** The one that was asked for longest ago makes room. */
  maxEntries: number;
  now: () => Date;
}

/**
 * `load` by key, each answer kept for `lifetimeMs`; callers that ask at the same time share one load. Failures are not kept,
 * and neither is an absence (null or undefined): what was not there may be there now.
 */
export function shortCache<T>(options: Options, load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const entries = new Map<string, { value: Promise<T>; until: number }>();
  return (key) => {
    const time = options.now().getTime();
    const known = entries.get(key);
    if (known && known.until > time) {
      // The only entry is the newest as well; caches of one are asked with every request.
      if (entries.size > 1) {
        entries.delete(key);
        entries.set(key, known);
      }
      return known.value;
    }
    entries.delete(key);
    const oldest = entries.keys().next();
    if (entries.size >= options.maxEntries && !oldest.done) entries.delete(oldest.value);
    const value = load(key);
    entries.set(key, { value, until: time + options.lifetimeMs });
    const forget = () => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    value.then((answer) => (answer === null || answer === undefined) && forget(), forget);
    return value;
  };
}

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
