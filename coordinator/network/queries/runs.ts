import type { Fragment } from 'postgres';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import {
  keyOf,
  type RunKey,
  type RunOutcome,
  type RunRow,
  type RunState,
  statesBefore,
  type StoredCollective,
  type StoredGraph,
  type StoredPlan,
} from '../run-row.ts';

const ms = (sql: Queryable, column: Fragment): Fragment => sql`(extract(epoch from ${column}) * 1000)::float8`;
const at = (sql: Queryable, value: number | null): Fragment => sql`to_timestamp(${value}::float8 / 1000)`;

const columns = (sql: Queryable): Fragment => sql`
  run.job_id, run.item, run.state, run.config, run.seed, run.secret, run.sequence, run.plan, run.next_round, run.graph,
  run.transport, run.transport_note, run.collective, run.outcome, run.message,
  ${ms(sql, sql`run.due_at`)} as due_ms, ${ms(sql, sql`run.returned_at`)} as returned_ms,
  ${ms(sql, sql`run.joining_ends_at`)} as joining_ends_ms, ${ms(sql, sql`run.started_at`)} as started_ms,
  ${ms(sql, sql`run.deadline_at`)} as deadline_ms, ${ms(sql, sql`run.rounds_started_at`)} as rounds_started_ms,
  ${ms(sql, sql`run.rounds_ended_at`)} as rounds_ended_ms, ${ms(sql, sql`run.created_at`)} as created_ms,
  ${ms(sql, sql`run.ended_at`)} as ended_ms, ${ms(sql, sql`clock_timestamp()`)} as now_ms,
  (select node_count from job where id = run.job_id) as nodes_expected,
  (select count(*)::int from network_node n where n.job_id = run.job_id and n.item = run.item) as nodes_joined,
  (select count(*)::int from network_node n where n.job_id = run.job_id and n.item = run.item and n.state = 'lost') as nodes_lost`;

/** Creates the run unless another node has already done so. */
export async function insertRun(
  sql: Queryable,
  run: RunKey & { config: unknown; seed: string; secret: Buffer; joinSeconds: number },
): Promise<void> {
  const config = run.config === null ? null : sql.json(run.config);
  await sql`
    insert into network_run (job_id, item, state, config, seed, secret, due_at, joining_ends_at, created_at)
    select ${run.jobId}, ${run.item}, 'joining', ${config}::jsonb, ${run.seed}, ${run.secret}, ends_at, ends_at, now
    from (select clock_timestamp() as now, clock_timestamp() + make_interval(secs => ${run.joinSeconds}) as ends_at) times
    on conflict (job_id, item) do nothing`;
}

/**
 * Locks the run for the rest of the transaction; lock its job first if both are needed. `now_ms` is read under the
 * lock.
 */
export async function lockRun(sql: Queryable, key: RunKey): Promise<RunRow | undefined> {
  await sql`select from network_run where job_id = ${key.jobId} and item = ${key.item} for no key update`;
  return readRun(sql, key);
}

export async function readRun(sql: Queryable, key: RunKey): Promise<RunRow | undefined> {
  const row = maybeOne(
    await sql<RunRow[]>`
    select ${columns(sql)} from network_run run where run.job_id = ${key.jobId} and run.item = ${key.item}`,
  );
  return row;
}

/**
 * Whether this plan of this phase is the newest; takes a shared lock, so that it stays the newest for the rest of the
 * transaction.
 */
export async function shareRun(
  sql: Queryable,
  key: RunKey,
  { state, sequence }: Pick<RunRow, 'state' | 'sequence'>,
): Promise<boolean> {
  const rows = await sql<{ state: RunState; sequence: number }[]>`
    select state, sequence from network_run where job_id = ${key.jobId} and item = ${key.item} for share`;
  return rows.some((row) => row.state === state && row.sequence === sequence);
}

/** Reads the run, and marks these nodes as seen in the same statement. */
export async function readRunSeen(sql: Queryable, key: RunKey, seen: number[]): Promise<RunRow | undefined> {
  if (seen.length === 0) return readRun(sql, key);
  const row = maybeOne(
    await sql<RunRow[]>`
    with beat as (
      update network_seen set seen_at = clock_timestamp()
      where job_id = ${key.jobId} and item = ${key.item} and node = any(${seen}::int[])
    )
    select ${columns(sql)} from network_run run where run.job_id = ${key.jobId} and run.item = ${key.item}`,
  );
  return row;
}

/** Locks the open runs of a job, whose own row must already be locked. */
export async function lockOpenRuns(sql: Queryable, jobId: string): Promise<RunRow[]> {
  await sql`select from network_run where job_id = ${jobId} and state <> 'ended' order by item for no key update`;
  return sql<RunRow[]>`
    select ${columns(sql)} from network_run run where run.job_id = ${jobId} and run.state <> 'ended' order by run.item`;
}

/** The changes of a planning step; absent fields are kept. */
export interface RunChange {
  state?: RunState;
  plan?: StoredPlan;
  sequence?: number;
  due_ms?: number;
  returned_ms?: number;
  started_ms?: number;
  deadline_ms?: number;
  rounds_started_ms?: number;
  rounds_ended_ms?: number;
  next_round?: number;
  graph?: StoredGraph;
  transport?: NetworkTransport;
  transport_note?: string;
  collective?: StoredCollective;
}

/** Updates a locked run. Throws if the table has no transition from its state to the new one. */
export async function updateRun(sql: Queryable, key: RunKey, change: RunChange): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : sql.json(value));
  const time = (value: number | undefined): Fragment => at(sql, value ?? null);
  const changed = await sql`
    update network_run set state = coalesce(${change.state ?? null}, state),
      plan = coalesce(${json(change.plan)}::jsonb, plan), sequence = coalesce(${change.sequence ?? null}, sequence),
      due_at = coalesce(${time(change.due_ms)}, due_at), returned_at = coalesce(${time(change.returned_ms)}, returned_at),
      started_at = coalesce(${time(change.started_ms)}, started_at),
      deadline_at = coalesce(${time(change.deadline_ms)}, deadline_at),
      rounds_started_at = coalesce(${time(change.rounds_started_ms)}, rounds_started_at),
      rounds_ended_at = coalesce(${time(change.rounds_ended_ms)}, rounds_ended_at),
      next_round = coalesce(${change.next_round ?? null}, next_round),
      graph = coalesce(${json(change.graph)}::jsonb, graph),
      transport = coalesce(${change.transport ?? null}, transport),
      transport_note = coalesce(${change.transport_note ?? null}, transport_note),
      collective = coalesce(${json(change.collective)}::jsonb, collective)
    where job_id = ${key.jobId} and item = ${key.item} and ${mayMove(sql, change.state)}`;
  demandMoved(changed, key, change.state);
}

const mayMove = (sql: Queryable, to: RunState | undefined): Fragment =>
  to === undefined ? sql`true` : sql`state = any(${statesBefore(to)}::text[])`;

function demandMoved({ count }: { count: number }, key: RunKey, to: RunState | undefined): void {
  if (to !== undefined && count !== 1)
    throw new Error(`run ${keyOf(key)} cannot move to ${to} from its state, or does not exist`);
}

/** Marks a locked run that has not ended as ended: deletes its secret and stores its summary. */
export async function markRunEnded(
  sql: Queryable,
  key: RunKey,
  end: { outcome: RunOutcome; message: string | null; summary: unknown },
): Promise<void> {
  const summary = end.summary === null ? null : sql.json(end.summary);
  const changed = await sql`
    update network_run set state = 'ended', outcome = ${end.outcome}, message = ${end.message},
      summary = ${summary}::jsonb, ended_at = clock_timestamp(), secret = null,
      collective = collective - 'unique_id', sequence = sequence + 1
    where job_id = ${key.jobId} and item = ${key.item} and ${mayMove(sql, 'ended')}`;
  demandMoved(changed, key, 'ended');
}

/** Makes the next plan due now, unless it already is. */
export async function makeDue(sql: Queryable, key: RunKey): Promise<void> {
  await sql`
    update network_run set due_at = least(due_at, clock_timestamp())
    where job_id = ${key.jobId} and item = ${key.item} and state <> 'ended'`;
}

/** Makes the next plan due now if all nodes of a preflight have reported all their dials. True if so. */
export async function makeDueWhenDialled(sql: Queryable, key: RunKey, sequence: number): Promise<boolean> {
  const due = await sql`
    update network_run run set due_at = least(due_at, clock_timestamp())
    where job_id = ${key.jobId} and item = ${key.item} and state = 'preflight' and sequence = ${sequence}
      and not exists (
        select from network_node n
        where n.job_id = run.job_id and n.item = run.item and n.state = 'joined'
          and n.dials < jsonb_array_length(run.plan -> 'listeners')
            - (case when run.plan -> 'listeners' @> to_jsonb(n.node) then 1 else 0 end)
      )`;
  return due.count > 0;
}

/** Marks the coordinator as restarted: every node now has a full lease to come back. */
export async function markReturned(sql: Queryable): Promise<void> {
  await sql`update network_run set returned_at = clock_timestamp() where state <> 'ended'`;
}

export interface EndedRun {
  item: number;
  outcome: RunOutcome;
  message: string | null;
  summary: Record<string, unknown> | null;
  created_at: Date;
  ended_at: Date;
}

export async function selectEndedRuns(sql: Queryable, jobId: string): Promise<EndedRun[]> {
  return sql<EndedRun[]>`
    select item, outcome, message, summary, created_at, ended_at from network_run
    where job_id = ${jobId} and state = 'ended' order by item`;
}
