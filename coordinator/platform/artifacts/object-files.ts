import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes one immutable object: temporary file, fsync, rename, fsync of the directory. There already: nothing to do. */
export async function writeObject(path: string, content: Buffer, temporary: string): Promise<void> {
  if (await hasSize(path, content.length)) return;
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** The object's content, or null where there is none. A file that no longer has its hash is refused, not served. */
export async function readObject(path: string, sha256: string): Promise<Buffer | null> {
  const content = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (content && sha256Hex(content) !== sha256)
    throw new Error(`The stored file ${path} is damaged: its hash differs.`);
  return content;
}

export const sha256Hex = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

export const objectPath = (root: string, key: string): string => join(root, ...key.split('/'));

async function hasSize(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.size === bytes;
}

/** A rename is durable only once its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
