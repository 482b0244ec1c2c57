import type { RunFinding } from '../contract/judgement.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';

/** What the nodes of a job measured together, e.g. one cluster_network. */
export interface ClusterRun {
  /** its index in the job's sequence */
  item: number;
  outcome: 'completed' | 'failed' | 'skipped';
  message: string | null;
  summary: Record<string, unknown> | null;
  created_at: Date;
  ended_at: Date;
  /** its problems, given the number of each task's node in the job */
  findings: (numberOf: (taskId: string) => number | null) => RunFinding[];
}

/** Ends the runs that a locked job still has open and returns all its runs. Safe to repeat. */
type JobEnding = (context: Context, tx: Transaction, jobId: string, because: string) => Promise<ClusterRun[]>;

const endings = new Set<JobEnding>();

/** Registers how an area that keeps something open for a job ends it with the job: lifecycle does not know these areas. */
export const onJobEnding = (ending: JobEnding): void => void endings.add(ending);

/** Called in the transaction that ends the job, before its outcome is settled: what the runs left out becomes a finding. */
export async function endClusterRuns(
  context: Context,
  tx: Transaction,
  jobId: string,
  because: string,
): Promise<ClusterRun[]> {
  if (endings.size === 0) throw new Error('a job is ending before any area has said what ends with it');
  const runs: ClusterRun[] = [];
  for (const ending of endings) runs.push(...(await ending(context, tx, jobId, because)));
  return runs;
}
