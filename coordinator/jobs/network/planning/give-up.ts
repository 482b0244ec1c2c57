import type { Planner } from './step.ts';
import { lockRun, markRunEnded } from '../queries/runs.ts';
import type { RunKey } from '../run-row.ts';

/** A step that has failed again and again for so long will not succeed. */
const GIVE_UP_MS = 60_000;

/**
 * Ends a run whose due step fails for a reason of its own, so that its nodes do not wait for ever. True where that was
 * done; errors of the database or the way to it pass by themselves and are never a reason.
 */
export async function giveUp({ sql, log }: Planner, key: RunKey, error: unknown): Promise<boolean> {
  if (error instanceof Error && 'code' in error) return false;
  return sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    if (!run || run.state === 'ended' || run.now_ms - run.due_ms < GIVE_UP_MS) return false;
    log.error({ err: error, job_id: key.jobId }, 'a network run was given up');
    const message = 'The coordinator could not go on with the measurement of links; its log says why.';
    await markRunEnded(tx, key, { outcome: 'failed', message, summary: null });
    return true;
  });
}
