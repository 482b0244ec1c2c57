import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { isUnused, registerUser, withDataDirLock } from '../../../coordinator/platform/db/embedded/data-dir-lock.ts';
import { FAVOURED } from './favoured.ts';

/** Shared by all labs of this machine; lost at the next boot, like the settings themselves. */
const CONTROL = '/run/gpumark-netns-lab';
const ORIGINAL = join(CONTROL, 'original.json');
const settingFile = (name: string): string => join('/proc/sys/net/ipv4', name);

/**
 * Kernel-wide settings that labs need: a larger neighbour table (64 hosts that all know each other overflow the default of
 * 1,024 entries, and working links then look unreachable), the congestion controls that a namespace may choose, and for the
 * kernel's packet threads the priority of the nodes whose packets they carry, above everything else on this machine.
 * The first lab saves the old values and changes them, the last one restores them; a lab whose process died counts as gone.
 */
export async function raiseKernelSettings(): Promise<() => Promise<void>> {
  await mkdir(CONTROL, { recursive: true, mode: 0o700 });
  const leave = await withDataDirLock(CONTROL, async () => {
    const first = isUnused(CONTROL);
    const left = await readOriginal();
    if (first && left !== null) await apply(left);
    if (first) {
      const original = await readSettings();
      await writeFile(ORIGINAL, JSON.stringify(original));
      await apply(raised(original));
    }
    return registerUser(CONTROL);
  });
  return () =>
    withDataDirLock(CONTROL, async () => {
      leave();
      if (!isUnused(CONTROL)) return;
      const original = await readOriginal();
      if (original !== null) await apply(original);
      await rm(ORIGINAL, { force: true });
    });
}

interface Settings {
  /** by name under net/ipv4 */
  sysctls: Record<string, string>;
  /** nice value of each ksoftirqd, by process id */
  priorities: Record<string, number>;
}

const NEIGHBOURS = {
  'neigh/default/gc_thresh1': 8192,
  'neigh/default/gc_thresh2': 16_384,
  'neigh/default/gc_thresh3': 32_768,
};
const ALLOWED = 'tcp_allowed_congestion_control';

function raised({ sysctls, priorities }: Settings): Settings {
  const neighbours = Object.entries(NEIGHBOURS).map(([name, least]) => [
    name,
    String(Math.max(least, Number(sysctls[name]))),
  ]);
  const allowed = new Set([...(sysctls[ALLOWED] ?? '').split(' '), ...(sysctls[AVAILABLE] ?? '').split(' ')]);
  return {
    sysctls: { ...Object.fromEntries(neighbours), [ALLOWED]: [...allowed].filter(Boolean).join(' ') },
    priorities: Object.fromEntries(Object.keys(priorities).map((pid) => [pid, FAVOURED])),
  };
}

const AVAILABLE = 'tcp_available_congestion_control';

async function readSettings(): Promise<Settings> {
  const names = [...Object.keys(NEIGHBOURS), ALLOWED, AVAILABLE];
  const values = await Promise.all(
    names.map(async (name) => [name, (await readFile(settingFile(name), 'utf8')).trim()]),
  );
  const pids = await packetThreads();
  return {
    sysctls: Object.fromEntries(values) as Settings['sysctls'],
    priorities: Object.fromEntries(pids.map((pid) => [pid, getPriority(pid)])),
  };
}

/** Process ids of ksoftirqd, one per processor; empty in a container that does not see them. */
async function packetThreads(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return pids.filter((_, at) => names[at]?.startsWith('ksoftirqd/') === true).map(Number);
}

/** In any order: the kernel accepts thresholds that are temporarily out of order. */
async function apply({ sysctls, priorities }: Settings): Promise<void> {
  for (const [name, value] of Object.entries(sysctls)) {
    if (name !== AVAILABLE) await writeFile(settingFile(name), value);
  }
  for (const [pid, priority] of Object.entries(priorities)) setPriority(Number(pid), priority);
}

async function readOriginal(): Promise<Settings | null> {
  const text = await readFile(ORIGINAL, 'utf8').catch(() => null);
  const left = text === null ? null : (JSON.parse(text) as Partial<Settings>);
  // A file of an older version without priorities: there is nothing to restore.
  return left?.sysctls === undefined || left.priorities === undefined
    ? null
    : { sysctls: left.sysctls, priorities: left.priorities };
}
