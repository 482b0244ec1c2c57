import { join, resolve } from 'node:path';
import type { Logger } from './log.ts';
import { makePrivateDirectory } from './private-directory.ts';

/** Creates DATA_DIR (keys, reports, the database) or closes it to other users. Throws one sentence that names it. */
export async function openDataDir(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const path = resolve(dataDir);
  const closed: string[] = [];
  try {
    for (const folder of databaseUrl === null ? [path, join(path, 'postgres')] : [path])
      if (await makePrivateDirectory(folder)) closed.push(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`DATA_DIR: cannot use ${dataDir} (${why}).`, { cause: error });
  }
  if (closed.length > 0) log.warn({ closed }, 'DATA_DIR was open to other users of this machine; it is closed now');
}
