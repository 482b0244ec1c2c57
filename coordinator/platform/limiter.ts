import { DomainError } from './errors.ts';

/** Runs at most `atOnce` works; `waiting` more stand in line, and beyond that `unavailable` is thrown at once. */
export function limiter({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const line: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (line.length >= waiting) {
        throw new DomainError('unavailable', 'Too many requests of this kind wait already. Try again shortly.', {
          retryAfterSeconds: 2,
        });
      }
      // The one who ends hands its place over, so `running` does not change.
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
