import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseLog } from '../database-start.ts';

const CHECK_MS = 500;
/** If a server dies more often than this, restarting does not fix the cause. */
const RESTARTS_MAX = 5;
const WINDOW_MS = 10 * 60_000;

type Supervised = {
  log: DatabaseLog;
  isAlive(): Promise<boolean>;
  restart(): Promise<void>;
  onDown?: ((error: Error) => void) | undefined;
};

/**
 * Checks every half second whether the server is alive and restarts it if not (killed for memory,
 * crashed); pools reconnect by themselves because the socket keeps its path. After five restarts in
 * ten minutes, or a restart that fails, it gives up and calls `onDown`.
 */
export function superviseServer(server: Supervised): { end(): Promise<void> } {
  const stop = new AbortController();
  let deaths: number[] = [];
  const watch = async () => {
    for (;;) {
      await wait(CHECK_MS, undefined, { signal: stop.signal, ref: false });
      if ((await server.isAlive()) || stop.signal.aborted) continue;
      const now = performance.now();
      deaths = [...deaths.filter((death) => now - death < WINDOW_MS), now];
      if (deaths.length > RESTARTS_MAX) throw new Error(`Postgres died ${deaths.length} times in ten minutes`);
      server.log.error({}, 'Postgres died; starting it again');
      await server.restart();
    }
  };
  const ended = watch().catch((error: unknown) => {
    if (stop.signal.aborted) return;
    const cause = error instanceof Error ? error : new Error(String(error));
    server.log.error({ error: cause.message }, 'Postgres is down and stays down');
    server.onDown?.(cause);
  });
  return {
    end: async () => {
      stop.abort();
      await ended;
    },
  };
}
