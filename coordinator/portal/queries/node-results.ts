import type { Queryable } from '../../platform/db/client.ts';

/** The result that counts of each node of a job: the newest completed QuickMark, as everywhere. */
export async function selectResultIds(
  sql: Queryable,
  jobId: string,
): Promise<{ task_id: string; result_id: string }[]> {
  return sql<{ task_id: string; result_id: string }[]>`
    select task.id as task_id, result.id as result_id
    from task join lateral (
      select id from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
        and results is not null
      order by epoch desc, attempt desc, id desc limit 1
    ) result on true
    where task.job_id = ${jobId} and task.deleted_at is null`;
}

/** A node of 8 GPUs has some 280 KiB of JSON, a job up to 256 nodes. */
const AT_A_TIME = 8;

/** JSON of these results, a few in memory at a time. The caller has found their job to be his. */
export async function* readResultTexts(
  sql: Queryable,
  ids: readonly string[],
): AsyncGenerator<{ id: string; results: string }, void> {
  for (let from = 0; from < ids.length; from += AT_A_TIME)
    yield* await sql<{ id: string; results: string }[]>`
      select id, results::text as results from benchmark_result
      where id = any(${ids.slice(from, from + AT_A_TIME)}::int8[])`;
}
