import type { Transaction } from './client.ts';
import { one } from './rows.ts';

/** For a transaction that reads or writes as much as a source has: its statements have no timeout. */
export async function statementsMayTakeLong(tx: Transaction): Promise<void> {
  await tx`set local statement_timeout = 0`;
}

/**
 * The same, and locks are waited for as long as others hold them, which can be as long. Also for filling tables at startup:
 * with a request's limits a replica would fail if it started next to one that fills them on a slow machine.
 */
export async function mayTakeLong(tx: Transaction): Promise<void> {
  await Promise.all([statementsMayTakeLong(tx), tx`set local lock_timeout = 0`]);
}

/** Takes the lock of a name until the end of the transaction; waits while another transaction holds it. */
export async function lockByName(tx: Transaction, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** The same without waiting; false: another transaction holds it. */
export async function tryLockByName(tx: Transaction, name: string): Promise<boolean> {
  const lock = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`;
  return one(lock).held;
}

/**
 * Rolls back everything the transaction has done so far; the callback should return next. The driver rolls back only on an
 * error, and the outcome of a reading may not be an error: the driver's commit then has nothing to commit.
 */
export async function rollBack(tx: Transaction): Promise<void> {
  await tx`rollback`;
}
