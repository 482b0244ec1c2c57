import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * True when `pid` is a server process of the cluster. Every Postgres process works inside its data
 * directory, which tells it from another program that got the same process id later. `clusterDir` must
 * be free of symbolic links; the kernel marks a directory that was removed under the server.
 */
export async function isServerProcess(pid: number, clusterDir: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return workingDir === clusterDir || workingDir === `${clusterDir} (deleted)`;
}

/** All processes of the cluster: a killed postmaster leaves some that need a moment to notice. */
export async function serverProcesses(clusterDir: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isServerProcess(Number(name), clusterDir))) found.push(Number(name));
  }
  return found;
}
