import type { Transaction } from './client.ts';
import { one } from './rows.ts';

/** Lifts the statement timeout, for a transaction that reads or writes all the data of a source. */
export async function statementsMayTakeLong(tx: Transaction): Promise<void> {
  await tx`set local statement_timeout = 0`;
}

/**
 * Lifts the lock timeout too, because the other holders of a lock can take just as long. Also used to fill tables at startup:
 * with a request's limits, a replica would fail if another one were filling them on a slow machine at the same time.
 */
export async function mayTakeLong(tx: Transaction): Promise<void> {
  await Promise.all([statementsMayTakeLong(tx), tx`set local lock_timeout = 0`]);
}

/** Takes the lock of a name until the end of the transaction; waits while another transaction holds it. */
export async function lockByName(tx: Transaction, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/**
 * `lockByName` for work that may take long, such as filling a table: one transaction at a time. `on conflict` covers one unique
 * constraint: of two processes that insert the same row at once, one fails on the other constraint. Two imports of the same rows
 * in different orders would deadlock.
 */
export async function lockForLong(tx: Transaction, name: string): Promise<void> {
  await mayTakeLong(tx);
  await lockByName(tx, name);
}

/** Like `lockByName`, but does not wait: returns false if another transaction holds the lock. */
export async function tryLockByName(tx: Transaction, name: string): Promise<boolean> {
  const lock = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`;
  return one(lock).held;
}

/**
 * Rolls back everything the transaction has done so far; the callback should return next. The driver itself rolls back only if
 * the callback throws, but a reading can be rejected without an error. The driver's commit then has nothing to commit.
 */
export async function rollBack(tx: Transaction): Promise<void> {
  await tx`rollback`;
}
