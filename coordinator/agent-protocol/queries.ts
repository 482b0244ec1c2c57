import type { TaskState } from '../contract/agent-protocol.ts';
import type { LockedJob } from '../lifecycle/locked-rows.ts';
import type { Queryable } from '../platform/db/client.ts';
import { maybeOne, one } from '../platform/db/rows.ts';

interface NewResult {
  id: string;
  job_id: string;
  task_id: string;
  benchmark_id: string;
  /** its index in the job's sequence */
  item: number;
  attempt: number;
  result_key: string;
  state: 'completed' | 'failed' | 'skipped';
  started_at: string;
  ended_at: string;
  config: unknown;
  results: unknown;
  /** the file with the whole result, if `results` is shortened */
  raw_artifact_id: string | null;
  raw_bytes: number;
  error_message: string | null;
  epoch: number;
  late: boolean;
  kept_aside: boolean;
  received_at: Date;
}

export async function insertResult(sql: Queryable, result: NewResult): Promise<void> {
  const row = { ...result, config: sql.json(result.config), results: sql.json(result.results) };
  await sql`insert into benchmark_result ${sql(row)}`;
}

export interface StoredResult {
  result_key: string;
  benchmark_id: string;
  /** null in rows of versions that did not store it */
  item: number | null;
  attempt: number;
  epoch: number;
  kept_aside: boolean;
}

/** Everything that a locked task has delivered, without the figures. */
export async function selectStored(sql: Queryable, taskId: string): Promise<StoredResult[]> {
  return sql<StoredResult[]>`
    select result_key, benchmark_id, item, attempt, epoch, kept_aside from benchmark_result where task_id = ${taskId}`;
}

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

/** What an agent can see of its job. */
export type AgentJobRow = Pick<
  LockedJob,
  'id' | 'name' | 'state' | 'node_count' | 'current_nodes' | 'benchmark_sequence' | 'expires_at'
>;

interface Report {
  report_key: string | null;
  report_file_name: string | null;
}

export async function findJobOfAgent(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string },
): Promise<(AgentJobRow & Report) | undefined> {
  return maybeOne(
    await sql<(AgentJobRow & Report)[]>`
    select job.id, job.name, job.state, job.node_count, job.current_nodes, job.benchmark_sequence, job.expires_at,
      artifact.storage_key as report_key, artifact.file_name as report_file_name
    from job left join artifact on artifact.id = job.report_artifact_id
    where job.id = ${id} and job.customer_id = ${customerId} and job.deleted_at is null`,
  );
}

/** The task of a job that a session of this secret holds. */
export async function findTaskOfSecret(
  sql: Queryable,
  { jobId, secretHash }: { jobId: string; secretHash: string },
): Promise<({ id: string; state: TaskState } & Report) | undefined> {
  return maybeOne(
    await sql<({ id: string; state: TaskState } & Report)[]>`
    select task.id, task.state, artifact.storage_key as report_key, artifact.file_name as report_file_name
    from task left join artifact on artifact.id = task.report_artifact_id
    where task.job_id = ${jobId} and task.secret_hash = ${secretHash} and task.deleted_at is null`,
  );
}
