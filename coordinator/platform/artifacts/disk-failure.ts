import { StoreError } from '../errors.ts';

/** What the disk itself objects to; any other error is not the disk's. */
const REMEDIES: Record<string, string> = {
  ENOSPC: 'the disk is full: make room, or move DATA_DIR',
  EDQUOT: 'the quota of its user is used up: raise it, or move DATA_DIR',
  EROFS: 'the disk is read-only: mount it for writing, or move DATA_DIR',
  EIO: 'the disk fails: look into the log of the kernel',
  EACCES: 'this user may not write there: give it the folder',
  EPERM: 'this user may not write there: give it the folder',
};

/** What `work` on the files of `folder` gives; what the disk objects to becomes one sentence with its remedy. */
export async function onDisk<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const remedy = REMEDIES[code];
    if (remedy === undefined) throw error;
    const [call] = (error as Error).message.split(',');
    throw new StoreError(`The files under ${folder} cannot be used: ${remedy} (${call}).`, { cause: error });
  }
}
