import type { Transaction } from './client.ts';
import { one } from './rows.ts';

/** For a transaction that reads or writes as much as a source has: no statement of it ends by the clock. */
export async function statementsMayTakeLong(tx: Transaction): Promise<void> {
  await tx`set local statement_timeout = 0`;
}

/**
 * The same, and it waits for locks as long as others hold them: they may take as long. So does what fills the tables at a start:
 * with the limits of a request a replica gives up if it starts beside one that fills them on a slow machine.
 */
export async function mayTakeLong(tx: Transaction): Promise<void> {
  await Promise.all([statementsMayTakeLong(tx), tx`set local lock_timeout = 0`]);
}

/** One transaction at a time holds the lock of a name, until it ends; this waits for the one before. */
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
 * Takes back what the transaction has done so far, all of it; the work is to return next. The driver takes a transaction back for an
 * error only, and what a reading comes to may be none: its commit then finds nothing to commit.
 */
export async function rollBack(tx: Transaction): Promise<void> {
  await tx`rollback`;
}
