import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A throw-away DATA_DIR; the caller removes it with `removeDataDir` after its server was stopped.
 * Open to be entered: as root, the user that runs Postgres could not reach the 0700 that mkdtemp
 * makes, and the cluster would be put under /var/lib/gpumark and stay there.
 */
export async function makeDataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gpumark-test-'));
  await chmod(dir, 0o755);
  return dir;
}

export async function removeDataDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}
