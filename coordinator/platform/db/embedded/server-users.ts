import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

let registrations = 0;

/**
 * Notes that this process uses the server; returns the function that takes the note back.
 * Call under the data directory lock.
 */
export async function registerUser(controlDir: string): Promise<() => Promise<void>> {
  const dir = join(controlDir, 'users');
  await mkdir(dir, { recursive: true });
  const file = join(dir, `${process.pid}-${await startTime(process.pid)}-${(registrations += 1)}`);
  await writeFile(file, '');
  return () => rm(file, { force: true });
}

/** True when no living process uses the server; notes of dead ones are removed. Call under the lock. */
export async function lastUserOut(controlDir: string): Promise<boolean> {
  const dir = join(controlDir, 'users');
  let living = 0;
  for (const name of await readdir(dir).catch(() => [])) {
    const [pid, started] = name.split('-');
    if (started && started === (await startTime(Number(pid)))) living += 1;
    else await rm(join(dir, name), { force: true });
  }
  return living === 0;
}

/**
 * Field 22 of /proc/PID/stat, clock ticks since boot: with the id it names one process, so a
 * reused process id is told from its predecessor. Null when there is no such process.
 */
async function startTime(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name (field 2) stands in parentheses and may hold spaces; field 3 follows the last one.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
