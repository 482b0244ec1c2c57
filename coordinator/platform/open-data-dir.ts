import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canTraverse } from './db/embedded/access.ts';
import { chooseServiceUser } from './db/embedded/service-user.ts';
import type { Logger } from './log.ts';
import { makePrivateDirectory, type Passer } from './private-directory.ts';

/**
 * DATA_DIR, which holds keys, reports and the database, closed to other users. As root the user that runs the embedded
 * server may pass through to its cluster, and no more. Throws one sentence that names DATA_DIR.
 */
export async function openDataDir(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const path = resolve(dataDir);
  const passer = databaseUrl === null ? await serverUser(path) : null;
  const closed: string[] = [];
  try {
    if (await makePrivateDirectory(path, passer)) closed.push(path);
    const control = join(path, 'postgres');
    if (databaseUrl === null && (await makePrivateDirectory(control, passer))) closed.push(control);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`DATA_DIR: cannot use ${dataDir} (${why}).`, { cause: error });
  }
  if (closed.length > 0) log.warn({ closed }, 'DATA_DIR was open to other users of this machine; it is closed now');
}

/** Where it cannot get to DATA_DIR at all, its cluster stands elsewhere (placement.ts), and nobody need pass. */
async function serverUser(path: string): Promise<Passer> {
  const { spawnAs } = await chooseServiceUser(join(path, 'postgres', 'cluster'));
  if (spawnAs === null) return null;
  const parent = dirname(path);
  await mkdir(parent, { recursive: true }).catch(() => undefined);
  return (await canTraverse(await realpath(parent).catch(() => parent), spawnAs)) ? spawnAs : null;
}
