import type { Queryable } from '../../../platform/db/client.ts';

/** Bytes of all results of a task and of its job, from the index alone; `known` where that very result is stored. */
export async function sizesOf(
  sql: Queryable,
  of: { jobId: string; taskId: string; resultKey: string },
): Promise<{ task: number; job: number; known: boolean }> {
  const [row] = await sql<{ task: number; job: number; known: boolean }[]>`
    select coalesce(sum(size_bytes + raw_bytes) filter (where task_id = ${of.taskId}), 0)::float8 as task,
      coalesce(sum(size_bytes + raw_bytes), 0)::float8 as job,
      exists (select from benchmark_result where result_key = ${of.resultKey}) as known
    from benchmark_result where job_id = ${of.jobId} and task_id is not null`;
  return row ?? { task: 0, job: 0, known: false };
}
