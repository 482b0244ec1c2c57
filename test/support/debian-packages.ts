import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

const PATHS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Test files run beside each other, and apt-get does not wait for another's list of packages. */
const LOCK = '/run/gpumark-packages.lock';
/** A mirror that hangs. */
const INSTALL_HANGS_MS = 240_000;

/** Full path of a program of the system, or null. Daemons are not on the PATH of an ordinary user. */
export const programPath = (name: string): string | null =>
  PATHS.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }) ?? null;

/**
 * False if all `programs` are here, which is the value of node:test's `skip`; else the sentence to skip with. As root,
 * Debian's `packages` are installed first if a program is missing.
 */
export async function whyWithout(programs: readonly string[], packages: string): Promise<string | false> {
  if (process.getuid?.() !== 0) return `needs root, and ${packages}`;
  if (missingOf(programs).length > 0) await installPackages(packages.split(' '));
  const missing = missingOf(programs);
  return missing.length > 0 ? `needs ${missing.join(', ')}: apt-get install ${packages}` : false;
}

const missingOf = (programs: readonly string[]): string[] => programs.filter((name) => programPath(name) === null);

/** The list of packages may be missing in a fresh container, hence the update. A failure shows as what is still missing. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const apt = (...words: string[]) =>
    execa('flock', ['--timeout', '600', LOCK, 'apt-get', ...words], {
      reject: false,
      timeout: INSTALL_HANGS_MS,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  if ((await apt(...install)).exitCode === 0) return;
  await apt('update', '-q');
  await apt(...install);
}
