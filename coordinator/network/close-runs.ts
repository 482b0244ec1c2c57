import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { endRun } from './planning/end-run.ts';
import { createLayouts } from './planning/layout.ts';
import { settleLinks } from './planning/settle-links.ts';
import { stepOf } from './planning/step.ts';
import type { ClusterRun } from '../lifecycle/on-job-ending.ts';
import { lockOpenRuns, markRunEnded, selectEndedRuns } from './queries/runs.ts';
import { selectSeats } from './queries/seats.ts';
import { runKeyOf } from './run-row.ts';
import { networkFindings } from './results/network-findings.ts';
import type { RunSummary } from './results/summarise-run.ts';

/**
 * Ends the open runs of a locked job because the job ends, and summarises what was measured so far. Returns all runs of
 * the job. Runs are locked after the job, and planning never locks a job, so there is no deadlock.
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
        ? `cluster_network did not start: ${run.nodes_joined} of ${run.nodes_expected} nodes had joined it when ${because}.`
        : `cluster_network was not finished: ${because} before.`;
    try {
      // In a savepoint: a job can be ended even if its nodes' reports are invalid.
      await tx.savepoint(async (apart) => {
        const tried = { ...step, tx: apart };
        await settleLinks(tried, { from: 0, through: run.sequence });
        await endRun(tried, 'failed', message);
      });
    } catch (error) {
      context.log.error({ err: error, job_id: jobId }, 'a network run could not be summarised');
      await markRunEnded(tx, runKeyOf(run), {
        outcome: 'failed',
        message: `${message} Its links could not be summarised.`,
        summary: null,
      });
    }
  }
  return (await selectEndedRuns(tx, jobId)).map((run) => {
    // Written by summariseRun, which defines this shape.
    const ended = { ...run, summary: run.summary as RunSummary | null };
    return { ...run, findings: (numberOf) => networkFindings(ended, numberOf) };
  });
}
