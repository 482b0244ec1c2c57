import { readFile, stat } from 'node:fs/promises';
import { DatabaseStartError } from '../database-start.ts';

/**
 * The OS user that the server runs as. `spawnAs` is null when that is ourselves;
 * it is set only when we are root, because Postgres refuses to run as root.
 */
export type ServiceUser = { uid: number; gid: number; spawnAs: { uid: number; gid: number } | null };

/**
 * Chooses who runs the server of `clusterPath`. As root: the owner of an existing cluster (so a
 * cluster made by an ordinary user stays that user's), else `postgres`, else `nobody`.
 */
export async function chooseServiceUser(
  clusterPath: string,
  uid = process.getuid?.() ?? -1,
  gid = process.getgid?.() ?? -1,
): Promise<ServiceUser> {
  if (uid !== 0) return { uid, gid, spawnAs: null };
  const user = (await ownerOf(clusterPath)) ?? (await firstAccount(['postgres', 'nobody']));
  if (!user) {
    throw new DatabaseStartError(
      'Postgres does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
        'Create one, start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { ...user, spawnAs: user };
}

async function ownerOf(path: string) {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isDirectory() || stats.uid === 0) return null;
  return { uid: stats.uid, gid: stats.gid };
}

/** Node has no getpwnam; the service accounts are local ones on every Linux system. */
async function firstAccount(names: string[]) {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of names) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
