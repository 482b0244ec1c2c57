import { StoreError } from '../errors.ts';

/** Error codes that the disk causes; any other error has another cause. */
const REMEDIES: Record<string, string> = {
  ENOSPC: 'the disk is full: make room, or move DATA_DIR',
  EDQUOT: 'the quota of its user is used up: raise it, or move DATA_DIR',
  EROFS: 'the disk is read-only: mount it for writing, or move DATA_DIR',
  EIO: 'the disk reports I/O errors: check the kernel log',
  EACCES: 'this user cannot write there: make it the owner of the folder',
  EPERM: 'this user cannot write there: make it the owner of the folder',
};

/** The result of `work` on the files of `folder`; an error of the disk becomes one sentence with its remedy. */
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
