import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ExitError } from '../run/exit-error.ts';
import { startFailure } from '../kernels/start-failure.ts';
import { makeDirectory } from '../state/make-directory.ts';

const PROBE_MS = 5_000;

/**
 * Unpacks the runner to DIRECTORY/<sha256>/gpumark-runner in the first directory where it can also be executed (a home
 * may be mounted noexec). An existing copy is used only if only we can write to it and its content has the hash.
 * Several agents may do this at once: each writes its own file and renames it. No other user can replace files in these
 * directories, so the verified file is the one that is started.
 * @throws ExitError usage if no directory is usable, kernel if the runner starts and fails
 */
export async function extractRunner(
  runner: { sha256: string; bytes: Uint8Array },
  directories: Iterable<string>,
): Promise<string> {
  const failures: string[] = [];
  // The runner started and failed: another directory would not help.
  let isBroken = false;
  for (const directory of directories) {
    const folder = join(directory, runner.sha256);
    const path = join(folder, 'gpumark-runner');
    try {
      if (!holds(path, runner.sha256)) {
        unpack(folder, path, runner.bytes);
        if (!holds(path, runner.sha256)) throw new Error('the file read back differs from the one written');
      }
      await promisify(execFile)(path, ['--version'], { timeout: PROBE_MS });
      return path;
    } catch (error) {
      // Another directory would not help.
      const limit = startFailure(error);
      if (limit !== null) throw new ExitError('kernel', limit.message, limit.remedy, error);
      isBroken ||= error instanceof Error && 'code' in error && typeof error.code === 'number';
      failures.push(
        `${directory}: ${isRefusedStart(error) ? NOEXEC : error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  throw new ExitError(
    isBroken ? 'kernel' : 'usage',
    `the runner cannot be unpacked and started (${failures.join('; ') || 'no directory can be written'})`,
    'Set XDG_CACHE_HOME to a directory that can be written and allows programs to run; in a container mount a volume on ' +
      '/var/lib/gpumark, or an emptyDir or tmpfs without noexec on /tmp.',
  );
}

const NOEXEC = 'its file system does not allow programs to run (noexec)';
/** A file that we just wrote with mode 0755 can only be refused because of its mount. */
const isRefusedStart = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EACCES' &&
  'syscall' in error &&
  String(error.syscall).startsWith('spawn');

/** Opened once, so that the checked file is the one that is read, and not a link to another. */
function holds(path: string, sha256: string): boolean {
  try {
    const folder = lstatSync(dirname(path));
    if (!folder.isDirectory() || !isOurs(folder)) return false;
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const entry = fstatSync(file);
      if (!entry.isFile() || entry.nlink !== 1 || !isOurs(entry)) return false;
      return createHash('sha256').update(readFileSync(file)).digest('hex') === sha256;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

const isOurs = ({ uid, mode }: Stats): boolean => uid === process.geteuid?.() && (mode & 0o022) === 0;

function unpack(folder: string, path: string, bytes: Uint8Array): void {
  makeDirectory(folder);
  const entry = lstatSync(folder);
  if (!entry.isDirectory() || !isOurs(entry)) throw new Error(`${folder} is not a directory that only we may write to`);
  const temporary = `${path}.${process.pid}`;
  // Left by a killed agent with the same process id.
  rmSync(temporary, { force: true });
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o700);
    try {
      writeFileSync(file, bytes);
      // The umask reduces the mode above.
      fchmodSync(file, 0o755);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
