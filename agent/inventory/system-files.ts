import { closeSync, constants, openSync, opendirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Probed } from './probe.ts';

/** More than any file of /sys, /proc and /etc: the sockets of a busy server are 20 MB. */
const TEXT_BYTES_MAX = 64 * 2 ** 20;
/** More than a folder has there: a process id has at most seven digits, but a machine has fewer than this. */
const NAMES_MAX = 100_000;
/** A record of /dev/kmsg has up to 8 KiB and is refused to a smaller buffer. */
const RECORD_BYTES_MAX = 16 * 2 ** 10;
/** How often in a row lines of the kernel's log may be overwritten while they are read. */
const OVERWRITTEN_MAX = 1000;

/** What a file held. */
interface FileContent {
  bytes: Buffer;
  /** False if it was longer than the limit. */
  whole: boolean;
}

/**
 * Files of /sys, /proc, /dev and /etc under a root that tests can replace. A missing or unreadable one is null, never an error;
 * none is waited for, and none is read beyond a limit.
 */
export class SystemFiles {
  readonly root: string;
  /** Why nothing more is read; null: reading goes on. */
  readonly #stopped: () => string | null;

  constructor(root: string, stopped: () => string | null = () => null) {
    this.root = root;
    this.#stopped = stopped;
  }

  /** The same files until `stopped` says why no more are read, such as a time that is over. */
  until(stopped: () => string | null): SystemFiles {
    return new SystemFiles(this.root, stopped);
  }

  /** Trimmed text; null also if it is empty. */
  text(path: string): string | null {
    const content = this.content(path).value;
    const text = content?.whole === true ? content.bytes.toString().trim() : '';
    return text === '' ? null : text;
  }

  /** Trimmed text of a small file, or why there is none. */
  read(path: string, most = 4096): Probed<string> {
    const { value: content, reason } = this.content(path, most);
    if (content === null) return { value: null, reason };
    if (!content.whole) return { value: null, reason: `longer than ${most} bytes` };
    const text = content.bytes.toString().trim();
    return text === '' ? { value: null, reason: 'empty' } : { value: text, reason: null };
  }

  /** The first `most` bytes, or why there are none. */
  content(path: string, most = TEXT_BYTES_MAX): Probed<FileContent> {
    let file: number | null = null;
    try {
      this.#goOn();
      // Without waiting: opening a pipe waits for its writer, reading the kernel's log for the next line.
      file = openSync(join(this.root, path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
      return { value: this.#readAll(file, most), reason: null };
    } catch (error) {
      return { value: null, reason: reasonOf(error) };
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  /** Names in a directory, sorted; empty if there is none. */
  names(path: string): string[] {
    const names: string[] = [];
    try {
      this.#goOn();
      const directory = opendirSync(join(this.root, path));
      try {
        for (let entry = directory.readSync(); entry !== null && names.length < NAMES_MAX; entry = directory.readSync())
          names.push(entry.name);
      } finally {
        directory.closeSync();
      }
    } catch {
      return [];
    }
    return names.toSorted();
  }

  /** Where a symbolic link leads, as it is written, or why that is unknown. */
  link(path: string): Probed<string> {
    try {
      this.#goOn();
      return { value: readlinkSync(join(this.root, path)), reason: null };
    } catch (error) {
      return { value: null, reason: reasonOf(error) };
    }
  }

  #readAll(file: number, most: number): FileContent {
    let bytes = Buffer.allocUnsafe(Math.min(most, 4 * 2 ** 10) + RECORD_BYTES_MAX);
    let length = 0;
    while (length <= most) {
      this.#goOn();
      if (bytes.length - length < RECORD_BYTES_MAX) bytes = Buffer.concat([bytes], 2 * bytes.length);
      const count = readNext(file, bytes, length);
      if (count === 0) break;
      length += count;
    }
    return { bytes: bytes.subarray(0, Math.min(length, most)), whole: length <= most };
  }

  #goOn(): void {
    const why = this.#stopped();
    if (why !== null) throw new Stopped(why);
  }

  /**
   * Why a file cannot be opened for reading: `EPERM` by a device rule (a cgroup), `EACCES` by its permissions, other
   * errors by the driver behind it; null if it can.
   */
  refusal(path: string): string | null {
    try {
      closeSync(openSync(join(this.root, path), constants.O_RDONLY | constants.O_NONBLOCK));
      return null;
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    }
  }
}

class Stopped extends Error {}

/** Number of bytes read; 0 at the end, and where more would have to be waited for. */
function readNext(file: number, bytes: Buffer, length: number): number {
  for (let overwritten = 0; ; overwritten += 1) {
    try {
      return readSync(file, bytes, length, bytes.length - length, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EAGAIN') return 0;
      // Lines of the kernel's log were overwritten before they were read: the next read goes on behind them.
      if (code !== 'EPIPE' || overwritten === OVERWRITTEN_MAX) throw error;
    }
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'its symbolic links lead in a circle',
  EISDIR: 'a folder',
  EINVAL: 'the driver does not tell (EINVAL)',
  EOPNOTSUPP: 'the driver does not tell (EOPNOTSUPP)',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

function reasonOf(error: unknown): string {
  if (error instanceof Stopped) return error.message;
  const code = codeOf(error);
  return WORDS[code] ?? (code === '' ? 'it cannot be read' : `it cannot be read (${code})`);
}
