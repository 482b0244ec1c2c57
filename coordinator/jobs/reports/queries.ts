import type { JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { StoredTask } from '../../figures/findings/task-judgement.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { BenchmarkItem } from '../../lifecycle/benchmarks.ts';
import type { JobExpansions } from '../job-row.ts';

export type ReportJobRow = JobExpansions & {
  id: string;
  customer_id: string;
  customer_name: string;
  name: string;
  description: string;
  state: JobState;
  tags: string[];
  benchmarks: string[];
  benchmark_sequence: BenchmarkItem[];
  node_count: number;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  warnings: string[];
  judgement: Judgement | null;
  scoreboard_model: string | null;
  scoreboard_group: string | null;
  scoreboard_index: number | null;
};

/** The job of a report, of any customer: the renderer works for the system. */
export async function findReportJob(sql: Queryable, id: string): Promise<ReportJobRow | undefined> {
  const row = maybeOne(
    await sql<ReportJobRow[]>`
    select job.id, job.customer_id, customer.name as customer_name, job.name, job.description, job.state, job.tags,
      job.benchmarks, job.benchmark_sequence, job.node_count, job.created_at, job.started_at, job.ended_at, job.warnings,
      job.judgement, job.gpu_models,
      job.quick_mark_aggregate, job.performance, job.performance_nodes, job.scoreboard_model, job.scoreboard_group,
      job.scoreboard_index
    from job join customer on customer.id = job.customer_id
    where job.id = ${id} and job.deleted_at is null`,
  );
  return row;
}

export interface ReportNodeRow extends StoredTask {
  id: string;
  job_id: string;
  machine_uuid: string;
  hostname: string | null;
  machine_ip: string | null;
  state: TaskState;
  failed_message: string | null;
  warnings: string[];
  simulated: boolean;
  agent_version: string;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  /** JSON */
  inventory: string | null;
  gpu_model: string | null;
  location: string | null;
  /** bytes of its first device */
  memory_bytes: number | null;
}

export async function selectReportNodes(
  sql: Queryable,
  which: { jobId: string } | { taskId: string },
): Promise<ReportNodeRow[]> {
  const match = 'jobId' in which ? sql`job_id = ${which.jobId}` : sql`id = ${which.taskId}`;
  return sql<ReportNodeRow[]>`
    select id, job_id, machine_uuid, hostname, machine_ip, state, failed_message, warnings, judgement, device_ids,
      simulated, agent_version,
      created_at, started_at, ended_at, inventory::text as inventory, gpu_model, inventory->>'location' as location,
      (inventory->'gpu_info'->0->>'total_memory')::float8 as memory_bytes
    from task where ${match} and deleted_at is null order by id`;
}
