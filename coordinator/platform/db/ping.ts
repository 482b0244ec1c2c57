import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './client.ts';
import { selectOne } from './queries.ts';

export type PingResult = { ok: true; latency_ms: number } | { ok: false; error: unknown };

const asking = new WeakMap<Sql, Promise<void>>();

/**
 * Asks the database for a sign of life and answers within `deadlineMs`, whatever the pool does.
 * One question at a time per pool: callers meanwhile share it, so a hanging database is not buried
 * under probes. It is never cancelled, because cancelling a query whose connection is still being
 * made costs postgres.js that connection for ever.
 */
export async function ping(sql: Sql, deadlineMs: number): Promise<PingResult> {
  const begun = performance.now();
  const question = ask(sql).then(
    (): PingResult => ({ ok: true, latency_ms: performance.now() - begun }),
    (error: unknown): PingResult => ({ ok: false, error }),
  );
  const over = new AbortController();
  const tooLate = wait(deadlineMs, undefined, { signal: over.signal }).then(
    (): PingResult => ({ ok: false, error: new DatabaseSilent(deadlineMs) }),
    (): PingResult => ({ ok: false, error: new DatabaseSilent(deadlineMs) }),
  );
  const result = await Promise.race([question, tooLate]);
  over.abort();
  return result;
}

/** The database neither answered nor failed in time. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`);
  }
}

function ask(sql: Sql): Promise<void> {
  const open = asking.get(sql);
  if (open) return open;
  const question = selectOne(sql).finally(() => asking.delete(sql));
  asking.set(sql, question);
  return question;
}
