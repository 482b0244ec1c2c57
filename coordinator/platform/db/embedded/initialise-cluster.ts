import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseStartError, restoreIt } from '../database-start.ts';
import { runProgram, type Cluster } from './pg-ctl.ts';
import { DATABASE_USER } from './readiness.ts';
import type { Profile } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

/** The cluster's directory with symbolic links resolved, such as one to /var/lib/gpumark or to another disk. */
export async function locateCluster(controlDir: string): Promise<string> {
  const path = join(controlDir, 'cluster');
  const found = await realpath(path).catch(() => null);
  if (found !== null) return found;
  if ((await lstat(path).catch(() => null)) === null) return path;
  throw new DatabaseStartError(
    `${path} points to a directory which is gone. Restore it, or remove the link to begin with an empty database.`,
  );
}

/**
 * Makes sure that `clusterDir` contains a complete cluster of the right version.
 * A new one is built next to it and renamed, so it exists completely or not at all; the remains of an
 * interrupted attempt are removed. A directory that contains a cluster is never deleted.
 * Call under the data directory lock.
 */
export async function initialiseCluster(cluster: Cluster, profile: Profile): Promise<void> {
  const { clusterDir, log } = cluster;
  const names = await list(clusterDir);
  if (await stat(join(clusterDir, 'global', 'pg_control')).catch(() => null)) return checkCluster(cluster, names);
  if (await holdsRows(clusterDir))
    throw new DatabaseStartError(
      `${clusterDir} holds rows, but its file global/pg_control is gone. ${restoreIt(clusterDir)}`,
    );
  if (names.length > 0) {
    // Left by an initdb that was killed before it wrote the control file: no row was ever stored.
    const aside = await mkdtemp(`${clusterDir}.incomplete-`);
    await rename(clusterDir, aside);
    log.warn({ from: clusterDir, to: aside }, 'a half-initialised database directory was put aside');
  }
  await build(cluster, profile);
}

/** The control file is written before the first table, so a database with tables and without it is damaged. */
async function holdsRows(clusterDir: string): Promise<boolean> {
  const base = join(clusterDir, 'base');
  for (const database of await list(base))
    if ((await list(join(base, database))).some((name) => name !== 'PG_VERSION')) return true;
  return false;
}

async function list(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new DatabaseStartError(
      `${dir} cannot be read (${error.code}): the database belongs to another user. Start as that user, or as root.`,
    );
  });
}

async function checkCluster({ clusterDir, user, binaries }: Cluster, names: string[]): Promise<void> {
  if (!names.includes('PG_VERSION') || !names.includes('base')) {
    throw new DatabaseStartError(
      `${clusterDir} holds a Postgres control file but is not a complete cluster. ` +
        'Restore it from a backup, or move it away to begin with an empty database.',
    );
  }
  const found = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  const [ours] = binaries.version.split('.');
  if (found === ours) return closeCluster(clusterDir, user);
  if (!/^\d+$/.test(found))
    throw new DatabaseStartError(
      `${clusterDir}/PG_VERSION is damaged. If base/1/PG_VERSION beside it says ${ours}, copy that file over it. ${restoreIt(clusterDir)}`,
    );
  throw new DatabaseStartError(
    `${clusterDir} was made by Postgres ${found}, and this version brings Postgres ${ours}. ` +
      `Dump it with Postgres ${found} (pg_dump) and load it into a fresh DATA_DIR, or run Postgres ${found} yourself and set DATABASE_URL.`,
  );
}

/** Postgres refuses a folder that others may enter; kubelet's fsGroup opens it to a group at every mount. */
async function closeCluster(clusterDir: string, user: ServiceUser): Promise<void> {
  const { mode, uid } = await stat(clusterDir);
  if (user && uid !== user.uid)
    throw new DatabaseStartError(
      `${clusterDir} belongs to root, as whom Postgres does not run. Run: chown -R ${user.uid}:${user.gid} '${clusterDir}'`,
    );
  if ((mode & 0o077) === 0) return;
  await chmod(clusterDir, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw new DatabaseStartError(
      `${clusterDir} is open to other users and cannot be closed (${error.code}). Run chmod 700 on it as its owner.`,
    );
  });
}

async function build(cluster: Cluster, profile: Profile): Promise<void> {
  const { clusterDir, user, binaries, log } = cluster;
  const temporary = `${clusterDir}.tmp`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { mode: 0o700 });
  if (user) await chown(temporary, user.uid, user.gid);
  // Built-in C.UTF-8: the same order on every machine, whatever its C library.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = [`--username=${DATABASE_USER}`, '--auth=trust', '--no-instructions', ...locale];
  if (profile === 'ephemeral') options.push('--no-sync');
  const { ok, said } = await runProgram(cluster, 'initdb', options, temporary);
  if (!ok) throw new DatabaseStartError(`A new database could not be made in ${clusterDir}: ${said}`);
  // This also replaces an empty directory.
  await rename(temporary, clusterDir);
  log.info({ cluster: clusterDir, version: binaries.version }, 'made a new database cluster');
}
