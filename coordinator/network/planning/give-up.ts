import type { Planner } from './step.ts';
import { lockRun, markRunEnded } from '../queries/runs.ts';
import type { RunKey } from '../run-row.ts';

/** A step that has failed again and again for so long will not succeed. */
const GIVE_UP_MS = 60_000;
/** ... and one that takes longer than a statement may has had many tries by then. */
const GIVE_UP_SLOW_MS = 600_000;

/**
 * Ends a run whose due step fails for a reason of its own, so that its nodes do not wait for ever. True where that was
 * done; trouble of the database or the way to it passes by itself and is never a reason.
 */
export async function giveUp({ sql, log }: Planner, key: RunKey, error: unknown): Promise<boolean> {
  const patience = patienceWith(error);
  return sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    if (!run || run.state === 'ended' || run.now_ms - run.due_ms < patience) return false;
    log.error({ err: error, job_id: key.jobId }, 'a network run was given up');
    const message = 'The coordinator could not go on with the measurement of links; its log says why.';
    await markRunEnded(tx, key, { outcome: 'failed', message, summary: null });
    return true;
  });
}

/** SQLSTATE classes (Postgres manual, appendix A): connection, rollback such as deadlock, resources, locks, operator, system. */
const PASSING = /^(08|40|53|55|57|58)...$/;
const QUERY_CANCELED = '57014';
/** Of the driver and the socket: CONNECTION_CLOSED, CONNECT_TIMEOUT, ECONNREFUSED, EPIPE. */
const OF_CONNECTIONS = /^(CONNECT|EAI_|E[A-Z]+$)/;

function patienceWith(error: unknown): number {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === QUERY_CANCELED) return GIVE_UP_SLOW_MS;
  return PASSING.test(code) || OF_CONNECTIONS.test(code) ? Infinity : GIVE_UP_MS;
}
