import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';

/** What the nodes of a job measured together, e.g. one cluster_network. */
export interface ClusterRun {
  /** its place in the job's sequence */
  item: number;
  outcome: 'completed' | 'failed' | 'skipped';
  message: string | null;
  summary: Record<string, unknown> | null;
  created_at: Date;
  ended_at: Date;
  /** sentences for the reader of the job */
  warnings: string[];
}

/** Ends what a locked job still measures and answers all that it has measured so. Safe to repeat. */
type JobEnding = (context: Context, tx: Transaction, jobId: string, because: string) => Promise<ClusterRun[]>;

const endings = new Set<JobEnding>();

/** An area that keeps something open for a job says here how it ends with the job: lifecycle knows none of them. */
export const onJobEnding = (ending: JobEnding): void => void endings.add(ending);

/** In the transaction that ends the job, before its outcome is known: what is left out makes a warning. */
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
