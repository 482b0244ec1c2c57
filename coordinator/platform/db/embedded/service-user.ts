import { readFile, stat } from 'node:fs/promises';
import { DatabaseStartError } from '../database-start.ts';

/** User that runs the server instead of root, which Postgres refuses; null: our own user. */
export type ServiceUser = { uid: number; gid: number } | null;

/** If we are root: the owner of the existing cluster unless that is root too, else `postgres`, else `nobody`. */
export async function chooseServiceUser(clusterPath: string): Promise<ServiceUser> {
  if (process.getuid?.() !== 0) return null;
  const owned = await stat(clusterPath).catch(() => null);
  if (owned?.isDirectory() && owned.uid !== 0) return { uid: owned.uid, gid: owned.gid };
  const user = await firstAccount(['postgres', 'nobody']);
  if (user) return user;
  throw new DatabaseStartError(
    'Postgres does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Create one, start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Reads /etc/passwd, as Node has no getpwnam; these service accounts are local on every Linux system. */
async function firstAccount(names: string[]): Promise<ServiceUser> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of names) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
