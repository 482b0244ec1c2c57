import { closeSync, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';

/** In bytes; a token has less than one thousand. */
const VALUE_BYTES_MAX = 16 * 1024;
/** Container runtimes mount secrets here, usually readable by every user inside. */
const SECRET_MOUNT = 'run/secrets';

interface OptionFile {
  path: string;
  /** As written on the command line. */
  option: string;
  /** default: 16 KiB */
  most_bytes?: number;
  /** Called with the open file's attributes before its content is used; throws to refuse it. */
  check?: (stats: Stats) => void;
}

/** The trimmed text of a file that an option names. @throws ExitError usage if it cannot be read, is empty or too large */
export function readOptionFile({ path, option, most_bytes = VALUE_BYTES_MAX, check }: OptionFile): string {
  const bytes = Buffer.alloc(most_bytes + 1);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      check?.(fstatSync(file));
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = readSync(file, bytes, { offset: length });
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof ExitError) throw cause;
    throw new ExitError('usage', `${option}: ${path} cannot be read`, null, cause);
  }
  if (length > most_bytes) throw new ExitError('usage', `${option}: ${path} is larger than ${most_bytes} bytes`);
  const content = bytes.toString('utf8', 0, length).trim();
  if (content === '') throw new ExitError('usage', `${option}: ${path} is empty`);
  return content;
}

/**
 * The job token in a file. As ssh does with keys, refuses a file that any user may read, or that others may write;
 * pipes and /run/secrets are accepted unchecked.
 * @throws ExitError usage
 */
export function readTokenFile(host: Pick<Host, 'system_root'>, path: string): string {
  const option = '--api-key-file';
  const check = (stats: Stats): void => {
    const mode = stats.mode & 0o777;
    const is_shown = (mode & 0o007) !== 0 && !(isContainerSecret(host, path) && (mode & 0o002) === 0);
    if (!stats.isFile() || (!is_shown && (mode & 0o020) === 0)) return;
    throw new ExitError(
      'usage',
      `${option}: other users may read or write ${path} (mode ${mode.toString(8).padStart(4, '0')})`,
      `Give it to its owner alone: chmod 600 ${path}. Secrets of containers: under /run/secrets, or with mode 0440.`,
    );
  };
  return readOptionFile({ path, option, check });
}

const isContainerSecret = (host: Pick<Host, 'system_root'>, path: string): boolean =>
  realpathSync(path).startsWith(join(host.system_root, SECRET_MOUNT, '/'));
