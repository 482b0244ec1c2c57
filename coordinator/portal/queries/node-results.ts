import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

/** The result that counts for each node of a job: its newest completed QuickMark. Empty for another customer's job. */
export async function selectResultIds(
  sql: Queryable,
  { jobId, customerId }: { jobId: string; customerId: string | null },
): Promise<{ task_id: string; result_id: string }[]> {
  return sql<{ task_id: string; result_id: string }[]>`
    select task.id as task_id, result.id as result_id
    from task join lateral (
      select id from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
        and results is not null
      order by epoch desc, attempt desc, id desc limit 1
    ) result on true
    where task.job_id = ${jobId} and task.deleted_at is null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)
    order by task.id`;
}

/**
 * A task of the customer and its newest QuickMark; `result_id` is null if it has no results. Null for an unknown task or
 * another customer's.
 */
export async function findTaskResult(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string | null },
): Promise<{ machine_uuid: string; hostname: string | null; result_id: string | null } | null> {
  const rows = await sql<{ machine_uuid: string; hostname: string | null; result_id: string | null }[]>`
    select task.machine_uuid, task.hostname, newest.result_id
    from task left join lateral (
      select case when results is not null then id end as result_id from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and not kept_aside
      order by epoch desc, attempt desc, id desc limit 1
    ) newest on true
    where task.id = ${id} and task.deleted_at is null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)`;
  return maybeOne(rows) ?? null;
}

/** Results per query: a node of 8 GPUs has some 280 KiB of JSON, and a job up to 256 nodes. */
const AT_A_TIME = 8;

/** JSON of these results, a few in memory at a time. The caller has checked who owns the job. */
export async function* readResultTexts(
  sql: Queryable,
  ids: readonly string[],
): AsyncGenerator<{ id: string; results: string }, void> {
  for (let from = 0; from < ids.length; from += AT_A_TIME)
    yield* await sql<{ id: string; results: string }[]>`
      select id, results::text as results from benchmark_result
      where id = any(${ids.slice(from, from + AT_A_TIME)}::int8[])`;
}

export interface RawResultRow {
  id: string;
  customer_id: string;
  /** key of the file with the complete result; null: `results` is complete */
  raw_key: string | null;
  /** JSON; null if the complete result is in a file */
  results: string | null;
}

/** The result that counts for a task: its newest completed QuickMark. Null also for another customer's task. */
export async function findRawResult(
  sql: Queryable,
  { taskId, customerId }: { taskId: string; customerId: string | null },
): Promise<RawResultRow | null> {
  const rows = await sql<RawResultRow[]>`
    select result.id, task.customer_id, artifact.storage_key as raw_key,
      case when artifact.id is null then result.results::text end as results
    from benchmark_result result join task on task.id = result.task_id
      left join artifact on artifact.id = result.raw_artifact_id
    where task.id = ${taskId} and task.deleted_at is null and result.benchmark_id = 'quick_mark'
      and result.state = 'completed' and not result.kept_aside and result.results is not null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)
    order by result.epoch desc, result.attempt desc, result.id desc limit 1`;
  return maybeOne(rows) ?? null;
}
