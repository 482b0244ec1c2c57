import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseLog } from '../database-log.ts';

const CHECK_MS = 500;
/** A server that dies more often than this has a cause that restarting does not cure. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 10 * 60_000;

type Supervised = {
  log: DatabaseLog;
  isAlive(): Promise<boolean>;
  restart(): Promise<void>;
  onDown?: ((error: Error) => void) | undefined;
};

/**
 * Looks every half second whether the server lives and brings it back if not (killed for memory,
 * crashed); pools reconnect by themselves because the socket keeps its path. After five restarts in
 * ten minutes, or a restart that fails, it gives up and tells `onDown`.
 */
export function superviseServer(server: Supervised): { end(): Promise<void> } {
  const stop = new AbortController();
  const restarts: number[] = [];
  const revive = async () => {
    const now = performance.now();
    while (restarts[0] !== undefined && now - restarts[0] > RESTART_WINDOW_MS) restarts.shift();
    if (restarts.length >= RESTARTS_MAX) throw new Error(`Postgres died ${RESTARTS_MAX + 1} times in ten minutes`);
    restarts.push(now);
    server.log.error({}, 'Postgres died; starting it again');
    await server.restart();
  };
  const watch = async () => {
    while (!stop.signal.aborted) {
      await wait(CHECK_MS, undefined, { signal: stop.signal, ref: false });
      if (!(await server.isAlive()) && !stop.signal.aborted) await revive();
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
