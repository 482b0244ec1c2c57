import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './client.ts';
import { selectOne } from './queries.ts';

type PingResult = { ok: true; latency_ms: number } | { ok: false; error: unknown };

const asking = new WeakMap<Sql, Promise<void>>();

/**
 * Checks whether the database responds. Resolves within `deadlineMs`, even if the pool hangs.
 * One query at a time per pool: concurrent callers share it, so a hanging database is not flooded
 * with probes. It is never cancelled, because cancelling a query whose connection is still being
 * established makes postgres.js lose that connection for ever.
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

type WatchdogOptions = {
  /** Pause between two checks; default 5 s. */
  everyMs?: number;
  /** Silence that counts as a hang; default 30 s. */
  silenceMs?: number;
  /** Called once; usually logs and exits, so that a supervisor restarts the process. */
  onSilent: (error: Error) => void;
};

/**
 * Watches for a pool that hangs: no result and no error for 30 s. An error (refused, starting up) means
 * that the pool works; `/readyz` reports it. Returns the function that ends the watch.
 */
export function watchDatabase(sql: Sql, options: WatchdogOptions): () => void {
  const { everyMs = 5000, silenceMs = 30_000, onSilent } = options;
  const stop = new AbortController();
  const watch = async () => {
    while (!stop.signal.aborted) {
      const result = await ping(sql, silenceMs);
      if (!result.ok && result.error instanceof DatabaseSilent && !stop.signal.aborted) {
        onSilent(result.error);
        return;
      }
      await wait(everyMs, undefined, { signal: stop.signal, ref: false });
    }
  };
  // The only rejection is the aborted pause.
  watch().catch(() => undefined);
  return () => stop.abort();
}
