import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { endRun } from './planning/end-run.ts';
import { createLayouts } from './planning/layout.ts';
import { settleLinks } from './planning/settle-links.ts';
import { stepOf } from './planning/step.ts';
import type { ClusterRun } from '../lifecycle/on-job-ending.ts';
import { networkWarnings } from './network-warnings.ts';
import { lockOpenRuns, markRunEnded, selectEndedRuns } from './queries/runs.ts';
import { selectSeats } from './queries/seats.ts';
import { runKeyOf } from './run-row.ts';

/**
 * Ends what a locked job still measures, because the job ends; what was measured so far is summarised. Answers all runs
 * of the job. Locks runs after
 * the job, and planning locks no job, so that neither waits for the other in a ring.
 */
export async function closeRuns(
  context: Context,
  tx: Transaction,
  jobId: string,
  because: string,
): Promise<ClusterRun[]> {
  const planner = { sql: context.sql, log: context.log, now: context.now, layouts: createLayouts() };
  for (const run of await lockOpenRuns(tx, jobId)) {
    const step = stepOf(planner, tx, run, await selectSeats(tx, runKeyOf(run)));
    const message =
      run.state === 'joining'
        ? `cluster_network was not begun: ${run.nodes_joined} of ${run.nodes_expected} nodes had joined it when ${because}.`
        : `cluster_network was not finished: ${because} before.`;
    try {
      // Apart: a job can be ended whatever is wrong with what its nodes have reported.
      await tx.savepoint(async (apart) => {
        const tried = { ...step, tx: apart };
        await settleLinks(tried, { from: 0, through: run.sequence });
        await endRun(tried, 'failed', message);
      });
    } catch (error) {
      context.log.error({ err: error, job_id: jobId }, 'a network run could not be summarised');
      await markRunEnded(tx, runKeyOf(run), {
        outcome: 'failed',
        message: `${message} Its links could not be summed up.`,
        summary: null,
      });
    }
  }
  return (await selectEndedRuns(tx, jobId)).map((run) => ({ ...run, warnings: networkWarnings([run]) }));
}
