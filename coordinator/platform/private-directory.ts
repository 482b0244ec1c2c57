import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const OTHERS = 0o077;

/**
 * Creates the directory, or closes it if it is open to other users; returns true if it was open. The folders above it are not
 * changed. Throws one sentence if it cannot be created or closed.
 */
export async function makePrivateDirectory(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await stat(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`);
  if ((found.mode & OTHERS) === 0) return false;
  try {
    await chmod(path, 0o700);
  } catch (error) {
    const mode = (found.mode & 0o777).toString(8);
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(
      `${await realpath(path)} is open to other users (mode ${mode}) and cannot be closed (${why}). ` +
        'Run chmod 700 on it as its owner, or name a folder below it',
      { cause: error },
    );
  }
  return true;
}
