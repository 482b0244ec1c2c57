import type { NetworkCapabilities, NetworkEndpoint } from '../../contract/network-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { RunKey, SeatRow } from '../run-row.ts';

/**
 * The seats of a run by number, without the results of their dials. Each seat's last contact is looked up by its full
 * key: a join of two tables that have not been analysed yet would compare every seat with every other, 50 ms for 256.
 */
export async function selectSeats(sql: Queryable, key: RunKey): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select n.node, n.task_id, task.machine_uuid, task.hostname, n.state, n.dials, n.endpoints, n.capabilities,
      (extract(epoch from n.joined_at) * 1000)::float8 as joined_ms,
      (extract(epoch from n.lost_at) * 1000)::float8 as lost_ms, (
        select extract(epoch from seen.seen_at) * 1000 from network_seen seen
        where seen.job_id = n.job_id and seen.item = n.item and seen.node = n.node
      )::float8 as seen_ms
    from network_node n
    join task on task.id = n.task_id
    where n.job_id = ${key.jobId} and n.item = ${key.item} order by n.node`;
}

interface CallerRow {
  /** the task's current epoch */
  epoch: number;
  secret_hash: string | null;
  /** null if the task has not joined */
  node: number | null;
}

/** The task's seat in this run; undefined if the job has no such task. */
export async function findCaller(sql: Queryable, key: RunKey, taskId: string): Promise<CallerRow | undefined> {
  const row = maybeOne(
    await sql<CallerRow[]>`
    select task.epoch, task.secret_hash, n.node
    from task
    join job on job.id = task.job_id
    left join network_node n on n.job_id = task.job_id and n.item = ${key.item} and n.task_id = task.id
    where task.id = ${taskId} and task.job_id = ${key.jobId} and task.deleted_at is null and job.deleted_at is null`,
  );
  return row;
}

export interface Joining {
  taskId: string;
  endpoints: NetworkEndpoint[];
  capabilities: NetworkCapabilities;
}

/** Inserts the next seat of a locked run. */
export async function insertSeat(sql: Queryable, key: RunKey, node: number, joining: Joining): Promise<void> {
  await sql`
    insert into network_node (job_id, item, node, task_id, endpoints, capabilities, joined_at, state)
    values (${key.jobId}, ${key.item}, ${node}, ${joining.taskId}, ${sql.json(joining.endpoints)},
      ${sql.json(joining.capabilities)}, clock_timestamp(), 'joined')`;
  await sql`
    insert into network_seen (job_id, item, node, seen_at) values (${key.jobId}, ${key.item}, ${node}, clock_timestamp())`;
}

/** Updates the seat of a node that joins again, perhaps a new process on other ports. */
export async function updateSeat(sql: Queryable, key: RunKey, node: number, joining: Joining): Promise<void> {
  await sql`
    update network_node set endpoints = ${sql.json(joining.endpoints)}, capabilities = ${sql.json(joining.capabilities)}
    where job_id = ${key.jobId} and item = ${key.item} and node = ${node}`;
  await sql`
    update network_seen set seen_at = clock_timestamp()
    where job_id = ${key.jobId} and item = ${key.item} and node = ${node}`;
}

/** Marks nodes as lost, and returning ones as joined. */
export async function updateSeatStates(
  sql: Queryable,
  key: RunKey,
  { lost, back }: { lost: number[]; back: number[] },
): Promise<void> {
  await sql`
    update network_node set state = 'lost', lost_at = clock_timestamp()
    where job_id = ${key.jobId} and item = ${key.item} and node = any(${lost}::int[])`;
  await sql`
    update network_node set state = 'joined', lost_at = null
    where job_id = ${key.jobId} and item = ${key.item} and node = any(${back}::int[])`;
}

/** Number of tasks that have joined, and of live tasks that may still join. */
export async function countJoining(
  sql: Queryable,
  key: RunKey,
  { now, liveStates }: { now: Date; liveStates: string[] },
): Promise<{ joined: number; coming: number }> {
  const row = one(
    await sql<{ joined: number; coming: number }[]>`
    select count(n.node)::int as joined,
      (count(*) filter (where n.node is null and task.state = any(${liveStates}) and lease.expires_at > ${now}))::int as coming
    from task
    join task_lease lease on lease.task_id = task.id
    left join network_node n on n.job_id = task.job_id and n.item = ${key.item} and n.task_id = task.id
    where task.job_id = ${key.jobId} and task.deleted_at is null`,
  );
  return row;
}

/** One dial of the preflight as reported by its node. */
export interface StoredDial {
  node: number;
  status: string;
  address: string | null;
  connect_us: number | null;
  code: string | null;
}

export async function lockDials(sql: Queryable, key: RunKey, node: number): Promise<StoredDial[]> {
  const row = maybeOne(
    await sql<{ preflight: StoredDial[] | null }[]>`
    select preflight from network_node where job_id = ${key.jobId} and item = ${key.item} and node = ${node}
    for no key update`,
  );
  return row?.preflight ?? [];
}

export async function updateDials(sql: Queryable, key: RunKey, node: number, dials: StoredDial[]): Promise<void> {
  await sql`
    update network_node set preflight = ${sql.json(dials)}, dials = ${dials.length}
    where job_id = ${key.jobId} and item = ${key.item} and node = ${node}`;
}

export async function selectDials(sql: Queryable, key: RunKey): Promise<{ node: number; preflight: StoredDial[] }[]> {
  return sql<{ node: number; preflight: StoredDial[] }[]>`
    select node, coalesce(preflight, '[]') as preflight from network_node
    where job_id = ${key.jobId} and item = ${key.item} order by node`;
}

interface ClockRow {
  epoch: number;
  secret_hash: string | null;
  now_ms: number;
}

/**
 * The database's clock in milliseconds since 1970, and the epoch of the calling task; undefined if the job has no such
 * task.
 */
export async function readClock(
  sql: Queryable,
  { jobId, taskId }: { jobId: string; taskId: string },
): Promise<ClockRow | undefined> {
  const row = maybeOne(
    await sql<ClockRow[]>`
    select task.epoch, task.secret_hash, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
    from task where task.id = ${taskId} and task.job_id = ${jobId} and task.deleted_at is null`,
  );
  return row;
}
