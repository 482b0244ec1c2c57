import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents, readable by their owner only. Node's own `recursive` never returns on file
 * systems that deny new entries with ENOENT (/proc, /sys), so each level is tried at most twice here.
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeDirectory(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
