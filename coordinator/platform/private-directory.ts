import { chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Who may pass through to what is theirs below, without seeing what else is there; null: nobody but the owner. */
export type Passer = { uid: number; gid: number } | null;

const OWNER = 0o700;
/** The group may pass and not look. */
const OWNER_AND_PASSER = 0o710;

/**
 * Makes the directory, or closes one that is open to other users. True: it had been open. The folders above it are left as
 * they are. Throws one sentence if it cannot be made or closed.
 */
export async function makePrivateDirectory(path: string, passer: Passer = null): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  const made = await mkdir(path, { mode: OWNER }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  const found = await stat(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`);
  const passes = passer !== null && passer.uid !== found.uid;
  const wanted = passes ? OWNER_AND_PASSER : OWNER;
  const wide = (found.mode & 0o077 & ~wanted) !== 0;
  if (!wide && (!passes || (found.gid === passer.gid && (found.mode & 0o010) !== 0))) return false;
  try {
    // The group first: what it may do is meant for the new one.
    if (passes) await chown(path, found.uid, passer.gid);
    await chmod(path, wanted);
  } catch (error) {
    const mode = (found.mode & 0o777).toString(8);
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(
      `${await realpath(path)} is open to other users (mode ${mode}) and cannot be closed (${why}). ` +
        `Run chmod ${wanted.toString(8)} on it as its owner, or name a folder below it`,
      { cause: error },
    );
  }
  return wide && !made;
}
