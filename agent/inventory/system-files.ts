import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Files of /sys, /proc and /etc under a root that tests can replace. A missing or unreadable one is null, never an error. */
export class SystemFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Trimmed text; null also if it is empty. */
  text(path: string): string | null {
    try {
      const content = readFileSync(join(this.root, path), 'utf8').trim();
      return content === '' ? null : content;
    } catch {
      return null;
    }
  }

  /** Names in a directory, sorted; empty if there is none. */
  names(path: string): string[] {
    try {
      return readdirSync(join(this.root, path)).toSorted();
    } catch {
      return [];
    }
  }

  /** What a symbolic link says, such as the name of a namespace; null if it is none. */
  linkTarget(path: string): string | null {
    try {
      return readlinkSync(join(this.root, path));
    } catch {
      return null;
    }
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
