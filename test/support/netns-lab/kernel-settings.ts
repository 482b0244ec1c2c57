import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDataDirLock } from '../../../coordinator/platform/db/embedded/data-dir-lock.ts';
import { lastUserOut, registerUser } from '../../../coordinator/platform/db/embedded/users.ts';

/** Shared by all labs of this machine, gone at its next start, like the settings themselves. */
const CONTROL = '/run/gpumark-netns-lab';
const ORIGINAL = join(CONTROL, 'original.json');
const settingFile = (name: string): string => join('/proc/sys/net/ipv4', name);

/**
 * Kernel-wide settings that labs need: room for neighbours (64 hosts that all know each other overflow the default of 1,024
 * entries, and links that work then look unreachable), and the congestion controls that a namespace may choose.
 * The first lab notes what was there and changes it, the last one puts it back; a lab whose process died counts as gone.
 */
export async function raiseKernelSettings(): Promise<() => Promise<void>> {
  await mkdir(CONTROL, { recursive: true, mode: 0o700 });
  const leave = await withDataDirLock(CONTROL, async () => {
    const first = await lastUserOut(CONTROL);
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
      await leave();
      if (!(await lastUserOut(CONTROL))) return;
      const original = await readOriginal();
      if (original !== null) await apply(original);
      await rm(ORIGINAL, { force: true });
    });
}

type Settings = Record<string, string>;

const NEIGHBOURS = {
  'neigh/default/gc_thresh1': 8192,
  'neigh/default/gc_thresh2': 16_384,
  'neigh/default/gc_thresh3': 32_768,
};
const ALLOWED = 'tcp_allowed_congestion_control';

function raised(original: Settings): Settings {
  const neighbours = Object.entries(NEIGHBOURS).map(([name, least]) => [
    name,
    String(Math.max(least, Number(original[name]))),
  ]);
  const allowed = new Set([...(original[ALLOWED] ?? '').split(' '), ...(original[AVAILABLE] ?? '').split(' ')]);
  return { ...Object.fromEntries(neighbours), [ALLOWED]: [...allowed].filter(Boolean).join(' ') };
}

const AVAILABLE = 'tcp_available_congestion_control';

async function readSettings(): Promise<Settings> {
  const names = [...Object.keys(NEIGHBOURS), ALLOWED, AVAILABLE];
  const values = await Promise.all(
    names.map(async (name) => [name, (await readFile(settingFile(name), 'utf8')).trim()]),
  );
  return Object.fromEntries(values) as Settings;
}

/** Largest first when raised, smallest first when lowered would be tidier; the kernel asks for neither. */
async function apply(settings: Settings): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    if (name !== AVAILABLE) await writeFile(settingFile(name), value);
  }
}

async function readOriginal(): Promise<Settings | null> {
  const text = await readFile(ORIGINAL, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Settings);
}
