import type { TaskState } from '../../contract/agent-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { LockedJob, LockedTask } from '../locked-rows.ts';
import { liveTaskStates } from '../states.ts';
import type { JobNode } from './summary.ts';

/**
 * Locks a job that is not deleted for the rest of the transaction. A transaction that changes a job or its tasks takes this lock
 * first, so that its nodes are settled one at a time and no two transactions wait for each other.
 */
export async function lockJob(sql: Queryable, id: string): Promise<LockedJob | undefined> {
  const row = maybeOne(
    await sql<LockedJob[]>`
    select id, customer_id, name, state, node_count, current_nodes, benchmark_sequence, benchmarks,
      registration_closes_at, started_at, expires_at, archived_at, token_kid
    from job where id = ${id} and deleted_at is null
    for no key update`,
  );
  return row;
}

/** Locks the tasks of a locked job, so that no sweep marks one as lost while it is being ended. */
export async function lockNodes(sql: Queryable, jobId: string): Promise<Pick<JobNode, 'task_id' | 'state'>[]> {
  return sql<Pick<JobNode, 'task_id' | 'state'>[]>`
    select id as task_id, state from task where job_id = ${jobId} and deleted_at is null order by id
    for no key update`;
}

/** Locks a task of the job that is not deleted, by its id or by its machine. */
export async function lockTask(
  sql: Queryable,
  jobId: string,
  which: { id: string } | { machineUuid: string },
): Promise<LockedTask | undefined> {
  const match = 'id' in which ? sql`task.id = ${which.id}` : sql`task.machine_uuid = ${which.machineUuid}`;
  const row = maybeOne(
    await sql<LockedTask[]>`
    select task.id, task.job_id, task.customer_id, task.machine_uuid, task.session_id, task.state, task.epoch,
      task.secret_hash, task.simulated, task_lease.expires_at as lease_expires_at
    from task join task_lease on task_lease.task_id = task.id
    where task.job_id = ${jobId} and ${match} and task.deleted_at is null
    for no key update of task, task_lease`,
  );
  return row;
}

interface SilentTask {
  id: string;
  job_id: string;
  state: TaskState;
  /** it has a completed one, so it may have delivered everything */
  has_quick_mark: boolean;
}

/**
 * Live tasks whose lease has run out. Those that another transaction has locked are skipped, and locking makes
 * Postgres check the lease again, so a node that answers at that moment is not given up.
 */
export async function lockSilentTasks(
  sql: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<SilentTask[]> {
  return sql<SilentTask[]>`
    select task.id, task.job_id, task.state, exists (
        select from benchmark_result r
        where r.task_id = task.id and r.benchmark_id = 'quick_mark' and r.state = 'completed'
      ) as has_quick_mark
    from task join task_lease on task_lease.task_id = task.id
    where task.state = any(${[...liveTaskStates]}) and task.deleted_at is null and task_lease.expires_at < ${now}
    order by task.id limit ${limit}
    for no key update of task, task_lease skip locked`;
}
