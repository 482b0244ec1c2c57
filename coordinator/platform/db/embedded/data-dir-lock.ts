import { accessSync, constants, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseStartError } from '../database-start.ts';
import { waitUntil } from './wait-until.ts';

/** Longer than a first start on a slow disk plus a clean stop, the two that hold the lock longest. */
const LOCK_SECONDS = 180;
/** SQLITE_BUSY */
const BUSY = 5;

/*
 * Both locks are SQLite locks, each on a file that stays empty. SQLite uses kernel locks (fcntl), which are released when their
 * holder dies, so a lock is never stale; they also work between containers that share the directory.
 */

/** Runs `work` while no other process starts or stops the server of this data directory. */
export async function withDataDirLock<T>(controlDir: string, work: () => Promise<T>): Promise<T> {
  const lock = openLock(join(controlDir, 'start.lock'));
  try {
    if (!(await waitUntil(async () => isGranted(lock, 'begin exclusive'), LOCK_SECONDS)))
      throw new DatabaseStartError(
        `Another process has been starting or stopping the database in ${controlDir} for ${LOCK_SECONDS} s.`,
      );
    return await work();
  } finally {
    lock.close();
  }
}

/** Registers this process as a user of the server until it calls the returned function or dies. Call under the lock. */
export function registerUser(controlDir: string): () => void {
  const users = openLock(join(controlDir, 'users.lock'));
  users.exec('begin; select 1 from sqlite_schema');
  return () => users.close();
}

/** True if no process uses the server. Call under the lock. */
export function isUnused(controlDir: string): boolean {
  if (!existsSync(controlDir)) return true;
  const users = openLock(join(controlDir, 'users.lock'));
  try {
    return isGranted(users, 'begin exclusive');
  } finally {
    users.close();
  }
}

function openLock(file: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    // SQLite also opens a read-only file, but then its lock excludes nobody.
    accessSync(file, constants.W_OK);
    // Whatever a crash left in it: emptied in place, since the locks of others are on this very file.
    if (statSync(file).size > 0) truncateSync(file);
    return lock;
  } catch (cause) {
    lock?.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseStartError(
      `${file} cannot be locked (${why}). If the database belongs to another user, start as that user, or as root.`,
      { cause },
    );
  }
}

function isGranted(lock: DatabaseSync, statement: string): boolean {
  try {
    lock.exec(statement);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return false;
    throw error;
  }
}
