import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

type Identity = { uid: number; gid: number };

/**
 * True when `user` can enter every directory from the root down to `path` (a directory).
 * Judged by mode bits, which is what a plain checkout or home directory uses; access lists are not read.
 */
export async function canTraverse(path: string, user: Identity): Promise<boolean> {
  if (!(await hasBits(path, user, 0o1))) return false;
  return path === dirname(path) || canTraverse(dirname(path), user);
}

/** True when `user` can open the file for reading, its directories included. */
export async function canRead(file: string, user: Identity): Promise<boolean> {
  return (await canTraverse(dirname(file), user)) && hasBits(file, user, 0o4);
}

async function hasBits(path: string, user: Identity, bits: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (!stats) return false;
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}
