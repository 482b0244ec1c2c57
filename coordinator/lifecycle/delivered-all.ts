import type { Queryable } from '../platform/db/client.ts';
import { isClusterBenchmark } from './benchmarks.ts';
import type { LockedJob } from './queries/jobs.ts';
import { selectDelivered } from '../agent-protocol/queries/results.ts';

/** True when the newest result of every benchmark that a node measures is completed. */
export async function hasDeliveredAll(
  sql: Queryable,
  job: Pick<LockedJob, 'benchmarks'>,
  task: { id: string },
): Promise<boolean> {
  const completed = (await selectDelivered(sql, task.id)).filter((result) => result.state === 'completed');
  const ids = new Set(completed.map((result) => result.benchmark_id));
  return job.benchmarks.filter((id) => !isClusterBenchmark(id)).every((id) => ids.has(id));
}
