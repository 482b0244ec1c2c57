import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './placement.ts';
import { DATABASE_USER } from './readiness.ts';
import { CLEAN_ENVIRONMENT, type Profile } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

const INITDB_DEADLINE_MS = 120_000;

type Input = { place: ClusterPlace; binaries: Binaries; user: ServiceUser; profile: Profile; log: DatabaseLog };

/**
 * Makes sure a complete cluster of the right version stands in `place.clusterDir`.
 * A new one is built beside it and renamed, so it is there whole or not at all; what an interrupted
 * attempt left is removed. A directory that holds a cluster is never deleted.
 * Call under the data directory lock.
 */
export async function initialiseCluster(input: Input): Promise<void> {
  const { clusterDir } = input.place;
  await removeLeftovers(clusterDir);
  const state = await inspect(clusterDir);
  if (state === 'cluster') return checkVersion(input);
  if (state === 'damaged') {
    throw new DatabaseStartError(
      `${clusterDir} holds a Postgres control file but is not a complete cluster. ` +
        'Restore it from a backup, or move it away to begin with an empty database.',
    );
  }
  if (state === 'incomplete') {
    const aside = await freeName(`${clusterDir}.incomplete`);
    await rename(clusterDir, aside);
    input.log.warn({ from: clusterDir, to: aside }, 'a half-initialised database directory was put aside');
  }
  if (state === 'empty') await rmdir(clusterDir);
  await build(input);
}

async function build({ place, binaries, user, profile, log }: Input): Promise<void> {
  const temporary = await mkdtemp(`${place.clusterDir}.tmp-`);
  if (user.spawnAs) await chown(temporary, user.uid, user.gid);
  const settings = [
    `--pgdata=${temporary}`,
    `--username=${DATABASE_USER}`,
    '--auth=trust',
    '--encoding=UTF8',
    // Built-in C.UTF-8: the same order on every machine, whatever its C library.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(profile === 'ephemeral' ? ['--no-sync'] : []),
  ];
  try {
    const options = { ...user.spawnAs, env: CLEAN_ENVIRONMENT, cwd: '/', timeout: INITDB_DEADLINE_MS };
    await promisify(execFile)(binaries.initdb, settings, options);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    const detail = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new DatabaseStartError(`A new database could not be made in ${place.clusterDir}: ${detail.slice(-1000)}`, {
      cause,
    });
  }
  await rename(temporary, place.clusterDir);
  log.info({ cluster: place.clusterDir, version: binaries.version }, 'made a new database cluster');
}

async function removeLeftovers(clusterDir: string): Promise<void> {
  const parent = dirname(clusterDir);
  const prefix = `${basename(clusterDir)}.tmp-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** `incomplete` is what a killed initdb leaves before it wrote the control file: no row was ever stored. */
async function inspect(dir: string): Promise<'absent' | 'empty' | 'cluster' | 'incomplete' | 'damaged'> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new DatabaseStartError(
      `${dir} cannot be read (${error.code}): the database belongs to another user. Start as that user, or as root.`,
    );
  });
  if (names === null) return 'absent';
  if (names.length === 0) return 'empty';
  const control = await stat(join(dir, 'global', 'pg_control')).catch(() => null);
  if (!control) return 'incomplete';
  return names.includes('PG_VERSION') && names.includes('base') ? 'cluster' : 'damaged';
}

async function checkVersion({ place, binaries }: Input): Promise<void> {
  const major = (await readFile(join(place.clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (major === String(binaries.major)) return;
  throw new DatabaseStartError(
    `${place.clusterDir} was made by Postgres ${major}, and this version brings Postgres ${binaries.major}. ` +
      `Dump it with Postgres ${major} (pg_dump) and load it into a fresh DATA_DIR, or run Postgres ${major} yourself and set DATABASE_URL.`,
  );
}

async function freeName(wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    if (!(await stat(`${wanted}-${number}`).catch(() => null))) return `${wanted}-${number}`;
  }
}
