import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExitError } from '../cli/exit-error.ts';
import { makeDirectory } from './make-directory.ts';

const PROBE_MS = 5_000;

/**
 * Unpacks the runner to DIRECTORY/<sha256>/gpumark-runner in the first directory where it can also be executed (a home
 * may be mounted noexec). An earlier copy is used only if its content still has the hash. Several agents may do this at
 * once: each writes a file of its own and renames it.
 * @throws ExitError kernel where no directory will do
 */
export async function extractRunner(
  runner: { sha256: string; bytes: Uint8Array },
  directories: Iterable<string>,
): Promise<string> {
  const failures: string[] = [];
  for (const directory of directories) {
    const folder = join(directory, runner.sha256);
    const path = join(folder, 'gpumark-runner');
    try {
      if (!holds(path, runner.sha256)) unpack(folder, path, runner.bytes);
      await promisify(execFile)(path, ['--version'], { timeout: PROBE_MS });
      return path;
    } catch (error) {
      failures.push(`${directory}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const remedy = 'Set XDG_CACHE_HOME to a directory on a file system that allows programs to run.';
  throw new ExitError(
    'kernel',
    `the runner cannot be unpacked and started (${failures.join('; ') || 'no directory can be written'})`,
    remedy,
  );
}

function holds(path: string, sha256: string): boolean {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex') === sha256;
  } catch {
    return false;
  }
}

function unpack(folder: string, path: string, bytes: Uint8Array): void {
  makeDirectory(folder);
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o755 });
    // The mode above is cut by the umask.
    chmodSync(temporary, 0o755);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
