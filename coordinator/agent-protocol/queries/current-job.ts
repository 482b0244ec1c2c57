import type { TaskState } from '../../contract/agent-protocol.ts';
import type { LockedJob } from '../../lifecycle/locked-rows.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

/** What an agent may see of its job. */
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
