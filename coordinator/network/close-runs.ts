import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { endRun } from './planning/end-run.ts';
import { createLayouts } from './planning/layout.ts';
import { settleLinks } from './planning/settle-links.ts';
import { stepOf } from './planning/step.ts';
import type { ClusterRun } from '../lifecycle/on-job-ending.ts';
import { lockOpenRuns, markRunEnded, selectEndedRuns, type EndedRun } from './queries/runs.ts';
import { selectSeats } from './queries/seats.ts';
import { runKeyOf } from './run-row.ts';
import type { ClusterNetworkResults } from '../contract/cluster-network.ts';

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
  return (await selectEndedRuns(tx, jobId)).map((run) => ({ ...run, warnings: networkWarnings([run]) }));
}

/** Maximum number of a job's warnings of one kind; the result lists all. */
const MOST_OF_A_KIND = 10;

/** Warnings about a job's links, for people: bad nodes and links, partitions, unmeasured links. */
const networkWarnings = (runs: readonly EndedRun[]): string[] => runs.flatMap(warningsOf);
function warningsOf({ outcome, message, summary }: EndedRun): string[] {
  const told =
    message === null ? [] : [message.startsWith('cluster_network') ? message : `cluster_network: ${message}`];
  const failed = outcome === 'completed' ? [] : told;
  if (summary === null) return failed;
  const { missing_nodes, bad_nodes, bad_links, partitions, links_failed } =
    // Written by summariseRun, which defines this shape.
    summary as Pick<ClusterNetworkResults, 'missing_nodes' | 'bad_nodes' | 'bad_links' | 'partitions' | 'links_failed'>;
  const failures = Object.entries(links_failed);
  return [
    ...failed,
    ...(missing_nodes > 0 ? [`${missing_nodes} ${nodes(missing_nodes)} did not take part in cluster_network.`] : []),
    ...(partitions.length > 1
      ? [`cluster_network: the nodes fall into ${partitions.length} groups that do not reach each other.`]
      : []),
    ...some(bad_nodes, 'bad nodes'),
    ...some(bad_links, 'bad links'),
    ...(failures.length > 0
      ? [`cluster_network: links without a result: ${failures.map(([status, n]) => `${n} ${status}`).join(', ')}.`]
      : []),
  ];
}

const nodes = (count: number): string => (count === 1 ? 'node' : 'nodes');
function some(bad: readonly { message: string }[], what: string): string[] {
  const rest = bad.length - MOST_OF_A_KIND;
  const sentences = bad.slice(0, MOST_OF_A_KIND).map(({ message }) => `cluster_network: ${message}`);
  return rest > 0 ? [...sentences, `cluster_network: ${rest} more ${what} are listed in the result.`] : sentences;
}
