import { chmod, chown, lstat, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClusterPlace } from './placement.ts';
import type { ServiceUser } from './service-user.ts';

/** No TCP, so the port only names the socket file. */
export const SOCKET_PORT = 5432;
export const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;

/** sun_path holds 108 bytes with its final zero (unix(7)). */
const SOCKET_PATH_MAX_BYTES = 107;

/**
 * A directory for the socket that only the service user (and root) can enter: beside the cluster,
 * or, when that path is too long for a socket, a short one below `shortDir`, noted in the control
 * directory so that the next start finds it again.
 */
export async function chooseSocketDir(place: ClusterPlace, user: ServiceUser, shortDir: string): Promise<string> {
  const beside = join(dirname(place.clusterDir), 'run');
  if (Buffer.byteLength(join(beside, SOCKET_FILE)) <= SOCKET_PATH_MAX_BYTES) {
    await mkdir(beside, { recursive: true });
    await makePrivate(beside, user);
    return beside;
  }
  const note = join(place.controlDir, 'socket-directory');
  const noted = await readFile(note, 'utf8').catch(() => '');
  if (noted && (await isPrivate(noted, user))) return noted;
  const made = await mkdtemp(join(shortDir, 'gpumark-'));
  await makePrivate(made, user);
  await writeFile(note, made);
  return made;
}

async function makePrivate(dir: string, user: ServiceUser): Promise<void> {
  await chmod(dir, 0o700);
  if (user.spawnAs) await chown(dir, user.uid, user.gid);
}

/** The noted directory stands in a shared place: trust it only if nobody else can have made it. */
async function isPrivate(dir: string, user: ServiceUser): Promise<boolean> {
  const stats = await lstat(dir).catch(() => null);
  return Boolean(stats?.isDirectory() && stats.uid === user.uid && (stats.mode & 0o777) === 0o700);
}
