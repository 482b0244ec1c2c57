import type { AgentPhase, JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { asJudgedNow } from '../../lifecycle/performance/compare.ts';
import type { Performance } from '../../contract/performance.ts';
import type { StoredTask } from '../../figures/findings/task-judgement.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface JobPageRow {
  id: string;
  customer_id: string;
  name: string;
  description: string;
  state: JobState;
  node_count: number;
  current_nodes: number;
  benchmarks: string[];
  tags: string[];
  warnings: string[];
  judgement: Judgement | null;
  gpu_models: string[] | null;
  aggregate: Record<string, unknown> | null;
  performance: Performance | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  expires_at: Date;
  report_key: string | null;
  report_file_name: string | null;
  /** a work item that renders it is queued or running */
  is_report_due: boolean;
  /** number of the last change; 0 if there was none */
  seq: string;
  is_simulated: boolean;
  engine: string | null;
}

/** The job's row for its page; `customerId` null: any customer's job. */
export async function findJobPage(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string | null },
): Promise<JobPageRow | null> {
  const rows = await sql<JobPageRow[]>`
    select job.id, job.customer_id, job.name, job.description, job.state, job.node_count, job.current_nodes,
      job.benchmarks, job.tags, job.warnings, job.judgement, job.gpu_models, job.quick_mark_aggregate as aggregate, job.performance,
      job.created_at, job.started_at, job.ended_at, job.expires_at,
      artifact.storage_key as report_key, artifact.file_name as report_file_name,
      exists (select from work_item w
        where w.customer_id = job.customer_id and w.state in ('queued', 'running')
          and w.kind = 'job_report' and w.subject_id = job.id) as is_report_due,
      coalesce(head.seq, 0)::text as seq,
      exists (select from task where task.job_id = job.id and task.simulated) as is_simulated,
      (select string_agg(distinct bf16_engine, ', ') from scoreboard_entry s where s.job_id = job.id) as engine
    from job left join artifact on artifact.id = job.report_artifact_id
      left join job_event_head head on head.job_id = job.id
    where job.id = ${id} and job.deleted_at is null
      ${customerId === null ? sql`` : sql`and job.customer_id = ${customerId}`}`;
  const row = maybeOne(rows);
  return row === undefined ? null : { ...row, performance: row.performance && asJudgedNow(row.performance) };
}

export interface NodeRow extends StoredTask {
  id: string;
  /** position among the nodes, from 0, in order of arrival */
  node: number;
  machine_uuid: string;
  hostname: string | null;
  state: TaskState;
  phase: AgentPhase | null;
  /** share of its measuring that is done, by its last beat; null: not reported */
  progress: number | null;
  failed_message: string | null;
  warnings: string[];
  gpu_model: string | null;
  gpu_count: number | null;
  simulated: boolean;
  bf16_tflops: number | null;
  memory_bandwidth_gbs: number | null;
  host_to_device_bandwidth_gbs: number | null;
  device_to_host_bandwidth_gbs: number | null;
}

export async function selectNodes(sql: Queryable, jobId: string): Promise<NodeRow[]> {
  return sql<NodeRow[]>`
    select task.id, (row_number() over (order by task.created_at, task.id) - 1)::int as node, task.machine_uuid,
      task.hostname, task.state, lease.phase, lease.progress, task.failed_message, task.warnings, task.judgement, task.device_ids,
      task.gpu_model, task.gpu_count,
      task.simulated, entry.bf16_tflops, entry.memory_bandwidth_gbs, entry.host_to_device_bandwidth_gbs,
      entry.device_to_host_bandwidth_gbs
    from task left join task_lease lease on lease.task_id = task.id
      left join scoreboard_entry entry on entry.task_id = task.id
    where task.job_id = ${jobId} and task.deleted_at is null
    order by task.created_at, task.id`;
}

type PlacedNode = StoredTask &
  Pick<NodeRow, 'node' | 'hostname' | 'machine_uuid'> & { job_id: string; job_name: string };

/**
 * A node of a job with what became of it, its name and its number in the job. Null for an unknown task or another customer's.
 */
export async function findNode(
  sql: Queryable,
  { taskId, customerId }: { taskId: string; customerId: string | null },
): Promise<PlacedNode | null> {
  const rows = await sql<PlacedNode[]>`
    select task.state, task.failed_message, task.warnings, task.judgement, task.device_ids, task.hostname, task.machine_uuid,
      task.job_id, job.name as job_name,
      (select count(*)::int from task other where other.job_id = task.job_id and other.deleted_at is null
        and (other.created_at, other.id) < (task.created_at, task.id)) as node
    from task join job on job.id = task.job_id where task.id = ${taskId} and task.deleted_at is null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)`;
  return maybeOne(rows) ?? null;
}

/** The last change of each of these jobs that has one. */
export async function selectHeads(sql: Queryable, jobIds: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ job_id: string; seq: string }[]>`
    select job_id, seq from job_event_head where job_id = any(${jobIds})`;
  return new Map(rows.map(({ job_id, seq }) => [job_id, Number(seq)]));
}

/** Deletes up to `limit` events older than `before`; returns how many. */
export async function deleteOldJobEvents(sql: Queryable, before: Date, limit: number): Promise<number> {
  const gone = await sql`
    delete from job_event where (job_id, seq) in (select job_id, seq from job_event where at < ${before} limit ${limit})`;
  return gone.count;
}
