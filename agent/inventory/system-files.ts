import { readdirSync, readFileSync } from 'node:fs';
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
}
