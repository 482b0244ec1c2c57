import type { Context } from '../context.ts';
import { readClock } from './queries.ts';

/** Log-in tokens tolerate five seconds of difference between replicas, a store's signatures a quarter of an hour. */
const SECONDS = { note: 2, broken: 30 };

interface ClockFound {
  state: 'ok' | 'note' | 'broken';
  found: string;
}

export const CLOCK_REMEDY = 'run a time service (chrony) on both';

/** Compares this machine's clock with the database's, the one that all replicas share. */
export function judgeClock(databaseSeconds: number, now: Date): ClockFound {
  const ahead = now.getTime() / 1000 - databaseSeconds;
  const off = Math.abs(ahead);
  const state = off > SECONDS.broken ? 'broken' : off > SECONDS.note ? 'note' : 'ok';
  return { state, found: `this machine is ${off.toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} the database` };
}

/** Only logs a warning, because everything that depends on order uses the database's clock. */
export async function warnOfClock({ sql, log, now }: Pick<Context, 'sql' | 'log' | 'now'>): Promise<void> {
  const { state, found } = judgeClock(await readClock(sql), now());
  if (state !== 'ok') log.warn({ remedy: CLOCK_REMEDY }, found);
}
