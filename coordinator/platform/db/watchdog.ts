import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './client.ts';
import { DatabaseSilent, ping } from './ping.ts';

export type WatchdogOptions = {
  /** Pause between two questions; default 5 s. */
  everyMs?: number;
  /** Silence that counts as a hang; default 30 s. */
  silenceMs?: number;
  /** Called once; the usual answer is to log and exit, so that a supervisor starts us afresh. */
  onSilent: (error: Error) => void;
};

/**
 * Watches for a pool that hangs: neither answers nor errors for 30 s. An error (refused, starting up)
 * is an answer: the pool works, and `/readyz` tells the rest. Returns the function that ends the watch.
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
