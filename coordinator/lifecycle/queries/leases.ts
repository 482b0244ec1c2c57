import type { AgentPhase, JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import { liveTaskStates } from '../states.ts';

export interface BeatRow {
  taskId: string;
  jobId: string;
  epoch: number;
  secretHash: string;
  phase: AgentPhase;
  progress: number | null;
}

export interface RenewedRow {
  /** index of the beat in the statement, from 0 */
  place: number;
  task_state: TaskState;
  job_state: JobState;
}

/**
 * Extends the leases of many tasks in one statement and returns the state of each. A beat whose task is not in that job, has
 * another epoch or secret, or belongs to a deleted job renews nothing and is absent from the result; so is one whose lease
 * is locked by another call at this moment, so that no node waits for another's transaction. No two beats may have the same
 * task, job, epoch and secret: then at most one of them matches the task.
 */
export async function renewLeases(sql: Queryable, beats: BeatRow[], now: Date, expiresAt: Date): Promise<RenewedRow[]> {
  return sql<RenewedRow[]>`
    with free as materialized (
      select beat.place, task_lease.task_id, beat.phase, beat.progress, task.state as task_state, job.state as job_state
      from unnest(${beats.map((beat) => beat.taskId)}::int8[], ${beats.map((beat) => beat.jobId)}::int8[],
          ${beats.map((beat) => beat.epoch)}::int[], ${beats.map((beat) => beat.secretHash)}::text[],
          ${beats.map((beat) => beat.phase)}::text[], ${beats.map((beat) => beat.progress)}::real[],
          ${beats.map((_, place) => place)}::int[])
          as beat (task_id, job_id, epoch, secret_hash, phase, progress, place)
        join task_lease on task_lease.task_id = beat.task_id and task_lease.epoch = beat.epoch
        join task on task.id = beat.task_id and task.job_id = beat.job_id and task.secret_hash = beat.secret_hash
          and task.deleted_at is null
        join job on job.id = task.job_id and job.deleted_at is null
      for no key update of task_lease skip locked
    )
    update task_lease
    set phase = free.phase, progress = free.progress, beat_at = ${now}, expires_at = ${expiresAt}
    from free
    where task_lease.task_id = free.task_id
    returning free.place, free.task_state, free.job_state`;
}

/** The session that holds a task whose beat was refused; undefined if the job has no such task. */
export async function findHolder(
  sql: Queryable,
  task: { id: string; jobId: string },
): Promise<{ epoch: number; secret_hash: string | null } | undefined> {
  return maybeOne(
    await sql<{ epoch: number; secret_hash: string | null }[]>`
    select task.epoch, task.secret_hash from task join job on job.id = task.job_id
    where task.id = ${task.id} and task.job_id = ${task.jobId} and task.deleted_at is null and job.deleted_at is null`,
  );
}

/** After a start: no node is lost because the coordinator was away. Returns how many leases were extended. */
export async function extendLiveLeases(sql: Queryable, expiresAt: Date): Promise<number> {
  const extended = await sql`
    update task_lease set expires_at = ${expiresAt}
    from task
    where task.id = task_lease.task_id and task.state in ('registered', 'running', 'uploading')
      and task.deleted_at is null and task_lease.expires_at < ${expiresAt}`;
  return extended.count;
}

export async function updateLease(
  sql: Queryable,
  lease: { taskId: string; epoch: number; phase: AgentPhase | null; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update task_lease set epoch = ${lease.epoch}, phase = coalesce(${lease.phase}, phase), beat_at = ${lease.now},
      expires_at = ${lease.expiresAt}
    where task_id = ${lease.taskId}`;
}

/** Jobs that are due: the registration window has closed, or they wait neither for a live node nor for one lost recently. */
export async function selectDueJobs(
  sql: Queryable,
  { now, lostBefore, limit }: { now: Date; lostBefore: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from job
    where deleted_at is null and (
      (state = 'starting' and registration_closes_at <= ${now})
      or (state = 'running' and not exists (
        select from task
        where task.job_id = job.id and task.deleted_at is null
          and (task.state = any(${[...liveTaskStates]}) or (task.state = 'lost' and task.lost_at > ${lostBefore}))
      ))
    )
    order by id limit ${limit}`;
  return rows.map((row) => row.id);
}

export async function selectExpiredJobs(
  sql: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from job
    where state in ('created', 'starting', 'running') and deleted_at is null and expires_at <= ${now}
    order by expires_at limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Archives jobs that ended long ago: from then on they take no late results. */
export async function archiveJobs(
  sql: Queryable,
  { now, endedBefore, limit }: { now: Date; endedBefore: Date; limit: number },
): Promise<number> {
  const archived = await sql`
    update job set archived_at = ${now}
    where id in (
      select id from job where ended_at <= ${endedBefore} and archived_at is null
      order by ended_at limit ${limit} for update skip locked
    )`;
  return archived.count;
}
