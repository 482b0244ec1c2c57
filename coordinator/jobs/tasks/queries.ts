import type { Fragment } from 'postgres';
import type { BenchmarkState, TaskState } from '../../contract/agent-protocol.ts';
import type { MachineInventory } from '../../contract/inventory.ts';
import type { StoredTask } from '../../figures/findings/task-judgement.ts';
import type { ListTasksQuery } from '../../contract/task.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { Cursor, SortKind } from '../listing/cursor.ts';
import { afterCursor, inOrder, type SortColumn } from '../listing/queries/keyset.ts';

export interface TaskRow extends StoredTask {
  id: string;
  job_id: string;
  machine_uuid: string;
  machine_ip: string | null;
  state: TaskState;
  failed_message: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  gpu_model: string | null;
  gpu_count: number | null;
  report_key: string | null;
  report_file_name: string | null;
}

export interface ResultRow {
  task_id: string | null;
  benchmark_id: string;
  attempt: number;
  state: BenchmarkState;
  started_at: Date | null;
  ended_at: Date | null;
  config: Record<string, unknown> | null;
  /** JSON */
  results: string | null;
  /** the file with the whole result, if `results` is shortened */
  raw_key: string | null;
  raw_file_name: string | null;
  error_message: string | null;
  result_key: string;
  late: boolean;
  received_at: Date;
}

export const taskSortKinds: Record<ListTasksQuery['sort_by'], SortKind> = {
  created_at: 'instant',
  started_at: 'instant',
  ended_at: 'instant',
  state: 'text',
  machine_ip: 'text',
  machine_uuid: 'text',
};

/** One page, with one row more than `per_page`, and the exact total of the same snapshot. */
export async function selectTaskPage(
  sql: Queryable,
  query: ListTasksQuery,
  at: { customerId: string | null; cursor: Cursor | null },
): Promise<{ total: number; rows: TaskRow[] }> {
  const where = taskFilter(sql, query, at.customerId);
  const id = sql`task.id`;
  const sort = sortColumn(sql, query.sort_by);
  const after = at.cursor ? sql`and ${afterCursor(sql, sort, query.sort_order, id, at.cursor)}` : sql``;
  const offset = at.cursor ? 0 : (query.page - 1) * query.per_page;
  const rows = await sql<(TaskRow & { total: number; id: string | null })[]>`
    select matching.total, page.*
    from (select count(*)::int as total from task where ${where}) matching
    left join lateral (
      select ${columns(sql)}
      from task left join artifact on artifact.id = task.report_artifact_id
      where ${where} ${after} ${inOrder(sql, sort, query.sort_order, id)}
      limit ${query.per_page + 1} offset ${offset}
    ) page on true`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

/** All tasks of a job in order of registration. */
export async function selectTasksOfJob(
  sql: Queryable,
  { jobId, customerId }: { jobId: string; customerId: string | null },
): Promise<TaskRow[]> {
  return sql<TaskRow[]>`
    select ${columns(sql)}
    from task left join artifact on artifact.id = task.report_artifact_id
    where task.job_id = ${jobId} and task.deleted_at is null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)
    order by task.id`;
}

export type TaskDetailRow = TaskRow & {
  config_id: string | null;
  inventory: MachineInventory | null;
  gpu_vendor: string | null;
  company_name: string;
};

export async function findTask(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string | null },
): Promise<TaskDetailRow | undefined> {
  const row = maybeOne(
    await sql<TaskDetailRow[]>`
    select ${columns(sql)}, task.config_id, task.inventory, task.gpu_vendor, customer.name as company_name
    from task
    join customer on customer.id = task.customer_id
    left join artifact on artifact.id = task.report_artifact_id
    where task.id = ${id} and task.deleted_at is null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)`,
  );
  return row;
}

/** A result that counts, without its body. */
interface ResultSize {
  id: string;
  task_id: string;
  size_bytes: number;
}

/** The newest result of each benchmark of each of these tasks. The ids come from a query restricted to the customer. */
export async function selectResultSizes(sql: Queryable, taskIds: string[]): Promise<ResultSize[]> {
  if (taskIds.length === 0) return [];
  return sql<ResultSize[]>`
    select distinct on (task_id, benchmark_id) id, task_id, size_bytes
    from benchmark_result where task_id = any(${taskIds}::int8[]) and not kept_aside
    order by task_id, benchmark_id, epoch desc, attempt desc, id desc`;
}

export async function selectResults(sql: Queryable, ids: string[]): Promise<ResultRow[]> {
  if (ids.length === 0) return [];
  return sql<ResultRow[]>`
    select ${resultColumns(sql)}
    from benchmark_result left join artifact on artifact.id = benchmark_result.raw_artifact_id
    where benchmark_result.id = any(${ids}::int8[]) order by task_id, benchmark_id`;
}

export interface KeptAsideRow {
  benchmark_id: string;
  attempt: number;
  state: BenchmarkState;
  result_key: string;
  received_at: Date;
}

/** Results of a task that count nowhere, in order of arrival. */
export async function selectKeptAside(sql: Queryable, taskId: string): Promise<KeptAsideRow[]> {
  return sql<KeptAsideRow[]>`
    select benchmark_id, attempt, state, result_key, received_at
    from benchmark_result where task_id = ${taskId} and kept_aside order by id`;
}

/** The job's own results. */
export async function selectClusterResults(sql: Queryable, jobId: string): Promise<ResultRow[]> {
  return sql<ResultRow[]>`
    select ${resultColumns(sql)}
    from benchmark_result left join artifact on artifact.id = benchmark_result.raw_artifact_id
    where benchmark_result.job_id = ${jobId} and task_id is null order by benchmark_result.id`;
}

/** The body as text, so that it can be sent on without parsing it. */
const resultColumns = (sql: Queryable): Fragment => sql`
  task_id, benchmark_id, attempt, state, started_at, ended_at, config, results::text as results, error_message, result_key,
  late, received_at, artifact.storage_key as raw_key, artifact.file_name as raw_file_name`;

const columns = (sql: Queryable): Fragment => sql`
  task.id, task.job_id, task.machine_uuid, task.machine_ip, task.state, task.failed_message, task.created_at,
  task.started_at, task.ended_at, task.gpu_model, task.gpu_count, task.warnings, task.judgement, task.device_ids,
  artifact.storage_key as report_key, artifact.file_name as report_file_name`;

function taskFilter(sql: Queryable, query: ListTasksQuery, customerId: string | null): Fragment {
  const conditions = [sql`task.deleted_at is null`];
  if (customerId !== null) conditions.push(sql`task.customer_id = ${customerId}`);
  if (query.job_id !== undefined) conditions.push(sql`task.job_id = ${query.job_id}`);
  if (query.state !== undefined) conditions.push(sql`task.state = ${query.state}`);
  if (query.machine_ip !== undefined) conditions.push(sql`task.machine_ip = ${query.machine_ip}`);
  if (query.machine_uuid !== undefined) conditions.push(sql`task.machine_uuid = ${query.machine_uuid}`);
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`);
}

function sortColumn(sql: Queryable, name: ListTasksQuery['sort_by']): SortColumn {
  const sortable: Record<typeof name, Fragment> = {
    created_at: sql`task.created_at`,
    started_at: sql`task.started_at`,
    ended_at: sql`task.ended_at`,
    state: sql`task.state`,
    machine_ip: sql`task.machine_ip`,
    machine_uuid: sql`task.machine_uuid`,
  };
  const nullable = name === 'started_at' || name === 'ended_at' || name === 'machine_ip';
  return { column: sortable[name], kind: taskSortKinds[name], nullable };
}
