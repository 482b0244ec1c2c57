import { DomainError } from './errors.ts';

interface Limits {
  atOnce: number;
  /** Maximum of one key; absent: all of them. */
  atOnceEach?: number;
  /** Maximum in all queues together; when full, the longest queue loses its last entry to a newcomer to a shorter one. */
  waiting: number;
  /** Maximum in one queue. */
  waitingEach?: number;
}

interface Waiter {
  start: () => void;
  turnAway: (error: DomainError) => void;
}

/**
 * Runs at most `atOnce` tasks, `atOnceEach` of one key. The others wait in the queue of their `key`, and the queues take turns: a key with many tasks
 * waits behind its own and delays another by at most one task per turn. Throws `unavailable` if a queue is full.
 */
export function limiter({ atOnce, atOnceEach = atOnce, waiting, waitingEach = waiting }: Limits) {
  // In the order of their turns; empty queues are removed.
  const lines = new Map<string, Waiter[]>();
  const active = new Map<string, number>();
  let running = 0;
  let standing = 0;
  const enter = (key: string): Promise<void> => {
    const line = lines.get(key) ?? [];
    if (line.length >= waitingEach || (standing >= waiting && !makeRoom(line.length))) throw full();
    standing += 1;
    return new Promise<void>((start, turnAway) => {
      line.push({ start, turnAway });
      lines.set(key, line);
    });
  };
  const makeRoom = (ownLength: number): boolean => {
    const [longest] = [...lines].toSorted(([, a], [, b]) => b.length - a.length);
    if (!longest || longest[1].length <= ownLength + 1) return false;
    longest[1].pop()?.turnAway(full());
    standing -= 1;
    return true;
  };
  const mayRun = (key: string): boolean => running < atOnce && (active.get(key) ?? 0) < atOnceEach;
  const begin = (key: string): void => {
    running += 1;
    active.set(key, (active.get(key) ?? 0) + 1);
  };
  const end = (key: string): void => {
    running -= 1;
    const left = (active.get(key) ?? 0) - 1;
    if (left > 0) active.set(key, left);
    else active.delete(key);
  };
  const startNext = (): void => {
    const [key, line] = [...lines].find(([waiting]) => mayRun(waiting)) ?? [];
    if (key === undefined || line === undefined) return;
    const waiter = line.shift();
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    standing -= 1;
    begin(key);
    waiter?.start();
  };
  return async <T>(work: () => Promise<T>, key = ''): Promise<T> => {
    if (mayRun(key)) begin(key);
    else await enter(key);
    try {
      return await work();
    } finally {
      end(key);
      startNext();
    }
  };
}

const full = (): DomainError =>
  new DomainError('unavailable', 'Too many requests of this kind wait already. Try again shortly.', {
    retryAfterSeconds: 2,
  });
