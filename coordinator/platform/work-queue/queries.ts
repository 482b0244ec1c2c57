import type { Queryable } from '../db/client.ts';
import { maybeOne, one } from '../db/rows.ts';
import type { ClaimedWork, WorkKind, WorkSubject } from './work-item.ts';

export async function insertWork(sql: Queryable, item: WorkSubject & { id: string; now: Date }): Promise<void> {
  await sql`
    insert into work_item (id, kind, subject_id, state, run_at, created_at)
    values (${item.id}, ${item.kind}, ${item.subjectId}, 'queued', ${item.now}, ${item.now})
    on conflict (kind, subject_id) where state = 'queued' do nothing`;
}

/**
 * Takes the next due item: a queued one, or a running one whose lock has run out because its runner died. A queued item
 * waits while its subject runs, so that an older run can never overwrite a newer one's outcome. One statement, so the
 * row lock lasts no longer than the claim.
 */
export async function claimWork(
  sql: Queryable,
  claim: { kinds: WorkKind[]; now: Date; lockedUntil: Date },
): Promise<ClaimedWork | null> {
  const item = maybeOne(
    await sql<ClaimedWork[]>`
    update work_item set state = 'running', attempts = attempts + 1, locked_until = ${claim.lockedUntil}
    where id = (
      select due.id from work_item due
      where due.kind = any(${claim.kinds}) and due.run_at <= ${claim.now}
        and (
          (due.state = 'running' and due.locked_until <= ${claim.now})
          or (due.state = 'queued' and not exists (
            select from work_item busy
            where busy.kind = due.kind and busy.subject_id = due.subject_id and busy.state = 'running'
          ))
        )
      order by due.run_at, due.id
      limit 1
      for update skip locked
    )
    returning id, kind, subject_id as "subjectId", attempts`,
  );
  return item ?? null;
}

/** Ends an item. False where another runner has taken it over since: its outcome counts then. */
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
 * Puts an item back for a later try. Where a newer request for the same subject waits already, that one does the work
 * and this one ends as failed.
 */
export async function postponeWork(
  sql: Queryable,
  item: ClaimedWork,
  retry: { error: string; now: Date; runAt: Date },
): Promise<boolean> {
  const done = await sql`
    with newer as (
      select from work_item
      where kind = ${item.kind} and subject_id = ${item.subjectId} and state = 'queued'
    )
    update work_item
    set state = case when exists (select from newer) then 'failed' else 'queued' end,
        finished_at = case when exists (select from newer) then ${retry.now}::timestamptz end,
        error = ${retry.error}, run_at = ${retry.runAt}, locked_until = null
    where id = ${item.id} and state = 'running' and attempts = ${item.attempts}`;
  return done.count === 1;
}

/** Forgets items that ended before `endedBefore`; returns how many. */
export async function deleteEndedWork(sql: Queryable, endedBefore: Date): Promise<number> {
  const deleted = await sql`
    delete from work_item where state in ('done', 'failed') and finished_at < ${endedBefore}`;
  return deleted.count;
}

export async function countOpenWork(sql: Queryable): Promise<number> {
  const row = one(
    await sql<{ n: number }[]>`
    select count(*)::int as n from work_item where state in ('queued', 'running')`,
  );
  return row.n;
}
