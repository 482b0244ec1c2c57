import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/source-files.ts';

/**
 * The release that is upgraded from: the last one before migrations 19 to 24. It drew charts by echarts, hence that
 * devDependency.
 */
const COMMIT = '3187ea0';

/** Why its files cannot be fetched, or false. */
export function whyNoFormerRelease(): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return `needs the history of this tree down to ${COMMIT}: git fetch --unshallow`;
  }
}

/** Lays the release before into `folder`, on the packages of this one; with its tests if they are to run. */
export async function layFormerRelease(folder: string, parts = ['coordinator', 'package.json']): Promise<string> {
  const former = join(folder, 'former');
  await mkdir(former);
  const archive = execFileSync('git', ['archive', COMMIT, ...parts], { cwd: root, maxBuffer: 1 << 29 });
  execFileSync('tar', ['-x', '-C', former], { input: archive });
  await symlink(join(root, 'node_modules'), join(former, 'node_modules'));
  return former;
}

/** The user is made by the former release: a command of this one would migrate first. */
export function createFormerUser(
  former: string,
  environment: Record<string, string>,
  { email, password }: { email: string; password: string },
): void {
  const options = { email, password, company: 'Before', role: 'customer_admin', tier: 'enterprise' };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  execFileSync(process.execPath, [join(former, 'coordinator/main.ts'), 'user', 'create', ...words], {
    env: { ...process.env, ...environment, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
}
