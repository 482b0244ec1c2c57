import type { JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { MachineInventory } from '../../contract/inventory.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import type { BenchmarkItem } from '../benchmarks.ts';
import { undeletableJobStates } from '../states.ts';

export interface NewJob {
  id: string;
  customer_id: string;
  created_by: string | null;
  name: string;
  description: string;
  node_count: number;
  benchmark_sequence: BenchmarkItem[];
  benchmarks: string[];
  tags: string[];
  token_id: string;
  token_kid: string;
  created_at: Date;
  expires_at: Date;
}

/** False if the customer has a job of that name that is not deleted. */
export async function insertJob(sql: Queryable, job: NewJob): Promise<boolean> {
  const row = { ...job, state: 'created', benchmark_sequence: sql.json(job.benchmark_sequence) };
  const inserted = await sql`
    insert into job ${sql(row)}
    on conflict (customer_id, name) where deleted_at is null do nothing`;
  return inserted.count === 1;
}

/**
 * Marks the job and its tasks as deleted, detaches their reports, revokes its token and removes its figures from the
 * scoreboard. False if it is starting or running, or is not there.
 */
export async function markJobDeleted(
  sql: Queryable,
  { id, customerId, now }: { id: string; customerId: string; now: Date },
): Promise<boolean> {
  const deleted = await sql`
    update job set deleted_at = ${now}, token_revoked_at = ${now}, report_artifact_id = null
    where id = ${id} and customer_id = ${customerId} and deleted_at is null
      and state <> all(${[...undeletableJobStates]})`;
  if (deleted.count === 0) return false;
  await sql`update task set deleted_at = ${now}, report_artifact_id = null where job_id = ${id} and deleted_at is null`;
  await sql`delete from scoreboard_entry where job_id = ${id}`;
  return true;
}

interface NewTask {
  id: string;
  job_id: string;
  customer_id: string;
  machine_uuid: string;
  machine_ip: string | null;
  hostname: string | null;
  session_id: string;
  secret_hash: string;
  agent_version: string;
  launcher: Record<string, string>;
  created_at: Date;
}

export async function insertTask(sql: Queryable, task: NewTask, leaseExpiresAt: Date): Promise<void> {
  await sql`insert into task ${sql({ ...task, state: 'registered', launcher: sql.json(task.launcher) })}`;
  await sql`
    insert into task_lease (task_id, epoch, phase, beat_at, expires_at)
    values (${task.id}, 1, 'waiting', ${task.created_at}, ${leaseExpiresAt})`;
}

/** Counts a node; the registration window opens with the first one. */
export async function countNode(sql: Queryable, jobId: string, windowClosesAt: Date): Promise<void> {
  await sql`
    update job set current_nodes = current_nodes + 1,
      registration_closes_at = coalesce(registration_closes_at, ${windowClosesAt})
    where id = ${jobId}`;
}

/** Hands the task to a new session: from here on the old one's epoch and secret are invalid. */
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

/** For a session that registered with a version without secrets. */
export async function storeSecret(sql: Queryable, task: { id: string; secretHash: string }): Promise<void> {
  await sql`update task set secret_hash = ${task.secretHash} where id = ${task.id}`;
}

/** False if the subject has been deleted in the meantime. */
export async function setReport(
  sql: Queryable,
  { kind, id, artifactId }: { kind: 'job' | 'task'; id: string; artifactId: string },
): Promise<boolean> {
  const attached =
    kind === 'job'
      ? await sql`update job set report_artifact_id = ${artifactId} where id = ${id} and deleted_at is null`
      : await sql`update task set report_artifact_id = ${artifactId} where id = ${id} and deleted_at is null`;
  return attached.count === 1;
}

export async function clearReports(tx: Transaction, customerId: string): Promise<void> {
  await tx`update job set report_artifact_id = null where customer_id = ${customerId}`;
  await tx`update task set report_artifact_id = null where customer_id = ${customerId}`;
}

/** Warnings kept per task. */
const MOST_WARNINGS = 200;

/** Adds the warnings that the task does not have yet. */
export async function mergeWarnings(sql: Queryable, taskId: string, warnings: string[]): Promise<void> {
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

export async function updateInventory(sql: Queryable, taskId: string, inventory: MachineInventory): Promise<void> {
  const { config_id, gpu_count, network_info } = inventory;
  await sql`
    update task set config_id = ${config_id}, machine_ip = coalesce(${network_info.machine_ip}, machine_ip),
      gpu_count = ${gpu_count}, inventory = ${sql.json(inventory)}
    where id = ${taskId}`;
}

export async function updateDevices(
  sql: Queryable,
  taskId: string,
  devices: { gpu_vendor: string; gpu_model: string; simulated: boolean; ids: string[] },
): Promise<void> {
  const { gpu_vendor, gpu_model, simulated, ids } = devices;
  await sql`
    update task set gpu_vendor = ${gpu_vendor}, gpu_model = ${gpu_model}, device_ids = ${ids},
      simulated = simulated or ${simulated}
    where id = ${taskId}`;
}

/** Ended tasks without a judgement, the newest first. */
export async function selectUnjudged(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from task where judgement is null and ended_at is not null order by id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function updateJudgement(sql: Queryable, taskId: string, judgement: Judgement): Promise<void> {
  await sql`update task set judgement = ${sql.json(judgement)} where id = ${taskId}`;
}

/** False if the job is no longer in `from`. */
export async function updateJobState(
  sql: Queryable,
  move: { id: string; from: JobState; to: JobState; startedAt: Date | null; endedAt: Date | null },
): Promise<boolean> {
  const moved = await sql`
    update job set state = ${move.to},
      started_at = coalesce(started_at, ${move.startedAt}::timestamptz),
      ended_at = coalesce(ended_at, ${move.endedAt}::timestamptz)
    where id = ${move.id} and state = any(${[move.from]})`;
  return moved.count === 1;
}

/** Returns how many were still in `from`. */
export async function updateTaskStates(
  sql: Queryable,
  move: { ids: string[]; from: TaskState; to: TaskState; now: Date; ended: boolean; message: string | null },
): Promise<number> {
  const moved = await sql`
    update task set state = ${move.to},
      started_at = case when ${move.to}::text in ('running', 'uploading') then coalesce(started_at, ${move.now}) else started_at end,
      ended_at = case when ${move.ended} then ${move.now}::timestamptz end,
      lost_at = case when ${move.to}::text = 'lost' then ${move.now}::timestamptz end,
      failed_message = coalesce(${move.message}, failed_message)
    where id = any(${move.ids}::int8[]) and state = any(${[move.from]})`;
  return moved.count;
}
