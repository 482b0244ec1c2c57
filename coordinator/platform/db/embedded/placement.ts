import { chmod, mkdir, mkdtemp, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { canTraverse } from './access.ts';
import type { ServiceUser } from './service-user.ts';

/** Where the parts of one embedded server stand. */
export type ClusterPlace = {
  /** DATA_DIR/postgres: locks, log and registrations; ours, not the server's. */
  controlDir: string;
  /** The cluster itself (PGDATA), symbolic links resolved; the service user can traverse its parent. */
  clusterDir: string;
};

/** DATA_DIR/postgres, made if absent. */
export async function openControlDir(dataDir: string): Promise<string> {
  const controlDir = join(resolve(dataDir), 'postgres');
  try {
    await mkdir(controlDir, { recursive: true });
    return await realpath(controlDir);
  } catch (error) {
    throw new DatabaseStartError(`The data directory ${resolve(dataDir)} cannot be used: ${String(error)}`);
  }
}

/**
 * Decides where the cluster stands: in DATA_DIR, or, when we are root and the service user cannot
 * reach DATA_DIR (a checkout below /root), under `systemDir` behind a symbolic link in DATA_DIR.
 */
export async function placeCluster(
  controlDir: string,
  systemDir: string,
  user: ServiceUser,
  log: DatabaseLog,
): Promise<ClusterPlace> {
  const path = join(controlDir, 'cluster');
  const existing = await resolveExisting(path);
  if (existing) return { controlDir, clusterDir: existing };
  if (!user.spawnAs || (await canTraverse(controlDir, user))) return { controlDir, clusterDir: path };
  await mkdir(systemDir, { recursive: true });
  await chmod(systemDir, 0o755);
  // A fresh name each time: a DATA_DIR that was deleted must not come back with its old rows.
  const parent = await mkdtemp(join(systemDir, 'cluster-'));
  await chmod(parent, 0o755);
  const clusterDir = join(parent, 'cluster');
  await symlink(clusterDir, path);
  log.warn(
    { data_dir: dirname(controlDir), cluster: clusterDir },
    'DATA_DIR is closed to the user that runs Postgres; the cluster is kept under the system directory, linked from DATA_DIR',
  );
  return { controlDir, clusterDir };
}

/** The directory that `path` names or links to; null when there is nothing yet. */
async function resolveExisting(path: string): Promise<string | null> {
  const there = await realpath(path).catch(() => null);
  if (there) return there;
  const target = await readlink(path).catch(() => null);
  if (target === null) return null;
  if (await stat(dirname(target)).catch(() => null)) return target;
  throw new DatabaseStartError(
    `${path} points to ${target}, which is gone. Restore it, or remove the link to begin with an empty database.`,
  );
}
