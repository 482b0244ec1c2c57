import type { Queryable } from '../db/client.ts';
import { maybeOne, one } from '../db/rows.ts';

export async function insertWork(sql: Queryable, item: WorkSubject & { id: string; created_at: Date }): Promise<void> {
  await sql`
    insert into work_item ${sql({ ...item, state: 'queued', run_at: item.created_at })}
    on conflict (kind, subject_id) where state = 'queued' do nothing`;
}

/** Allows only one claim at a time, until the end of the transaction: two concurrent claims would not see each other. */
export async function lockClaims(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('work_item claims', 0))`;
}

/**
 * Claims the next due item: from the customer whose last turn was longest ago, and only one at a time per customer, so that a
 * thousand reports for one do not delay another. Due items are queued ones, and running ones whose lock has expired because
 * their runner died; the latter come first, so that an older run of a subject never overwrites a newer one's outcome.
 */
export async function claimWork(
  sql: Queryable,
  claim: { kinds: WorkKind[]; now: Date; lockedUntil: Date },
): Promise<ClaimedWork | null> {
  const item = maybeOne(
    await sql<ClaimedWork[]>`
    with recursive waiting (customer_id) as (
      (select customer_id from work_item where state in ('queued', 'running') order by customer_id limit 1)
      union all
      select (
        select customer_id from work_item
        where state in ('queued', 'running') and customer_id > waiting.customer_id order by customer_id limit 1
      ) from waiting where waiting.customer_id is not null
    )
    update work_item
    set state = 'running', attempts = attempts + 1, locked_until = ${claim.lockedUntil}, claimed_at = ${claim.now}
    where id = (
      select due.id
      from waiting
      join lateral (
        select id, run_at from work_item
        where customer_id = waiting.customer_id and kind = any(${claim.kinds}) and run_at <= ${claim.now}
          and (state = 'queued' or (state = 'running' and locked_until <= ${claim.now}))
        order by state = 'running' desc, run_at, id
        limit 1
      ) due on true
      where not exists (
        select from work_item busy
        where busy.customer_id = waiting.customer_id and busy.state = 'running' and busy.locked_until > ${claim.now}
      )
      order by (
        select max(claimed_at) from work_item turn
        where turn.customer_id = waiting.customer_id and turn.claimed_at is not null
      ) nulls first, due.run_at, due.id
      limit 1
    )
    returning id, kind, subject_id, customer_id, attempts, error`,
  );
  return item ?? null;
}

/** Ends an item. False if another runner has since taken it over, so that only that runner's outcome counts. */
export async function finishWork(
  sql: Queryable,
  item: ClaimedWork,
  outcome: { state: 'done' | 'failed'; error: string | null; now: Date },
): Promise<boolean> {
  const done = await sql`
    update work_item
    set state = ${outcome.state}, error = ${outcome.error}, finished_at = ${outcome.now}, locked_until = null
    where id = ${item.id} and state = 'running' and attempts = ${item.attempts}`;
  return done.count === 1;
}

/**
 * Puts an item back for a later try. If a newer item for the same subject is already queued, that one does the work and
 * this one ends as failed. `uncounted`: this try does not count. A runner that lost its lock stays fenced off, because another
 * runner only ever takes back its own try.
 */
export async function postponeWork(
  sql: Queryable,
  item: ClaimedWork,
  retry: { error: string; now: Date; runAt: Date; uncounted: boolean },
): Promise<boolean> {
  const done = await sql`
    with newer as (
      select from work_item
      where kind = ${item.kind} and subject_id = ${item.subject_id} and state = 'queued'
    )
    update work_item
    set state = case when exists (select from newer) then 'failed' else 'queued' end,
        finished_at = case when exists (select from newer) then ${retry.now}::timestamptz end,
        error = ${retry.error}, run_at = ${retry.runAt}, locked_until = null,
        attempts = attempts - ${retry.uncounted ? 1 : 0}
    where id = ${item.id} and state = 'running' and attempts = ${item.attempts}`;
  return done.count === 1;
}

/** Deletes items that ended before `endedBefore`; returns how many. */
export async function deleteEndedWork(sql: Queryable, endedBefore: Date): Promise<number> {
  const deleted = await sql`
    delete from work_item where state in ('done', 'failed') and finished_at < ${endedBefore}`;
  return deleted.count;
}

export async function countWorkIn(sql: Queryable, states: ('queued' | 'running' | 'failed')[]): Promise<number> {
  const row = one(await sql<{ n: number }[]>`select count(*)::int as n from work_item where state = any(${states})`);
  return row.n;
}

/** Kinds of work; the CHECK of work_item lists the same two. */
export type WorkKind = 'job_report' | 'task_report';

export interface WorkSubject {
  kind: WorkKind;
  /** id of the job or task */
  subject_id: string;
  /** customer whose turn it takes */
  customer_id: string;
}

export interface ClaimedWork extends WorkSubject {
  id: string;
  /** 1 for the first try; together with the id it fences off a runner that lost its lock */
  attempts: number;
  /** error of the last try */
  error: string | null;
}
