import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/**
 * Copies the package's programs once to `parent`/postgres-VERSION-HASH, open to every user.
 * The hash is of the server program, so another build never runs by the name of this one.
 */
export async function copyBinaries(
  packageDir: string,
  parent: string,
  repairLinks: (dir: string) => Promise<boolean>,
): Promise<{ nativeDir: string; made: boolean }> {
  const { version } = manifest.parse(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')));
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(packageDir, 'native', 'bin', 'postgres')), hash);
  const target = join(parent, `postgres-${version}-${hash.digest('hex').slice(0, 12)}`);
  const nativeDir = join(target, 'native');
  if (await stat(nativeDir).catch(() => null)) return { nativeDir, made: false };
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(`${target}.tmp-`);
  try {
    await cp(join(packageDir, 'native'), join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      // Static archives are never loaded.
      filter: (source) => !source.endsWith('.a'),
    });
    await repairLinks(temporary);
    await openToAll(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await stat(nativeDir).catch(() => null))) throw error;
  }
  return { nativeDir, made: true };
}

async function openToAll(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
