import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';

/** Bytes of all results of a task and of its job, from the index alone. */
export async function sizesOf(
  sql: Queryable,
  of: { jobId: string; taskId: string },
): Promise<{ task: number; job: number }> {
  return one(
    await sql<{ task: number; job: number }[]>`
    select coalesce(sum(size_bytes + raw_bytes) filter (where task_id = ${of.taskId}), 0)::float8 as task,
      coalesce(sum(size_bytes + raw_bytes), 0)::float8 as job
    from benchmark_result where job_id = ${of.jobId} and task_id is not null`,
  );
}
