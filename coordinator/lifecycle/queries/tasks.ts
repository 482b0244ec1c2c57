import type { AgentPhase, TaskState } from '../../contract/agent-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

/** A task and its lease, locked for the rest of the transaction. The job is locked before (ending/queries.ts). */
export interface LockedTask {
  id: string;
  job_id: string;
  customer_id: string;
  machine_uuid: string;
  session_id: string;
  state: TaskState;
  epoch: number;
  /** of the session that holds the task; null where it registered before there were secrets */
  secret_hash: string | null;
  simulated: boolean;
  lease_expires_at: Date;
}

/** The task of a job that is not deleted, by its id or by its machine. */
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

export interface NewTask {
  id: string;
  jobId: string;
  customerId: string;
  machineUuid: string;
  sessionId: string;
  secretHash: string;
  agentVersion: string;
  hostname: string | null;
  machineIp: string | null;
  launcher: Record<string, string>;
  now: Date;
  leaseExpiresAt: Date;
}

export async function insertTask(sql: Queryable, task: NewTask): Promise<void> {
  await sql`
    insert into task (id, job_id, customer_id, machine_uuid, machine_ip, hostname, session_id, secret_hash,
      agent_version, launcher, state, created_at)
    values (${task.id}, ${task.jobId}, ${task.customerId}, ${task.machineUuid}, ${task.machineIp}, ${task.hostname},
      ${task.sessionId}, ${task.secretHash}, ${task.agentVersion}, ${JSON.stringify(task.launcher)}::text::jsonb, 'registered', ${task.now})`;
  await sql`
    insert into task_lease (task_id, epoch, phase, beat_at, expires_at)
    values (${task.id}, 1, 'waiting', ${task.now}, ${task.leaseExpiresAt})`;
}

/** Counts a node in; the window of registration opens with the first one. Returns the new count. */
export async function countNode(sql: Queryable, jobId: string, windowClosesAt: Date): Promise<void> {
  await sql`
    update job set current_nodes = current_nodes + 1,
      registration_closes_at = coalesce(registration_closes_at, ${windowClosesAt})
    where id = ${jobId}`;
}

/** Hands the task to a new session: from here on the old one's epoch and secret open nothing. */
export async function takeTaskOver(
  sql: Queryable,
  task: {
    id: string;
    epoch: number;
    sessionId: string;
    secretHash: string;
    agentVersion: string;
    hostname: string | null;
  },
): Promise<void> {
  await sql`
    update task set epoch = ${task.epoch}, session_id = ${task.sessionId}, secret_hash = ${task.secretHash},
      agent_version = ${task.agentVersion}, hostname = coalesce(${task.hostname}, hostname)
    where id = ${task.id}`;
}

/** For a session that registered before there were secrets. */
export async function storeSecret(sql: Queryable, task: { id: string; secretHash: string }): Promise<void> {
  await sql`update task set secret_hash = ${task.secretHash} where id = ${task.id}`;
}

export async function renewLease(
  sql: Queryable,
  lease: { taskId: string; epoch: number; phase: AgentPhase | null; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update task_lease set epoch = ${lease.epoch}, phase = coalesce(${lease.phase}, phase), beat_at = ${lease.now},
      expires_at = ${lease.expiresAt}
    where task_id = ${lease.taskId}`;
}

/** False where the task is no longer in `from`. */
export async function updateTaskState(
  sql: Queryable,
  move: { id: string; from: TaskState; to: TaskState; now: Date; ended: boolean; message: string | null },
): Promise<boolean> {
  const moved = await sql`
    update task set state = ${move.to},
      started_at = case when ${move.to}::text in ('running', 'uploading') then coalesce(started_at, ${move.now}) else started_at end,
      ended_at = case when ${move.ended} then ${move.now}::timestamptz end,
      lost_at = case when ${move.to}::text = 'lost' then ${move.now}::timestamptz end,
      failed_message = coalesce(${move.message}, failed_message)
    where id = ${move.id} and state = any(${[move.from]})`;
  return moved.count === 1;
}

/** Sentences kept per task. */
const MOST_WARNINGS = 200;

/** Adds the sentences that the task does not hold yet. */
export async function addWarnings(sql: Queryable, taskId: string, warnings: string[]): Promise<void> {
  if (warnings.length === 0) return;
  await sql`
    update task set warnings = (
      select coalesce(array_agg(warning order by place), '{}')
      from (
        select warning, min(place) as place from unnest(warnings || ${warnings}::text[]) with ordinality as w (warning, place)
        group by warning order by min(place) limit ${MOST_WARNINGS}
      ) merged
    )
    where id = ${taskId}`;
}

export async function updateInventory(
  sql: Queryable,
  machine: { taskId: string; configId: string; machineIp: string | null; gpuCount: number; inventory: unknown },
): Promise<void> {
  await sql`
    update task set config_id = ${machine.configId}, machine_ip = coalesce(${machine.machineIp}, machine_ip),
      gpu_count = ${machine.gpuCount}, inventory = ${JSON.stringify(machine.inventory)}::text::jsonb
    where id = ${machine.taskId}`;
}

export async function updateDevices(
  sql: Queryable,
  devices: { taskId: string; gpuVendor: string; gpuModel: string; simulated: boolean },
): Promise<void> {
  await sql`
    update task set gpu_vendor = ${devices.gpuVendor}, gpu_model = ${devices.gpuModel},
      simulated = simulated or ${devices.simulated}
    where id = ${devices.taskId}`;
}
