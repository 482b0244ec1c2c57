import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The two disk operations of the spool that can fail on a full disk or a power loss; tests replace them with failing
 * ones.
 */
export interface Disk {
  /** The file is either complete, even after a power loss, or does not exist. */
  writeDurably(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
}

/** temp -> fsync -> rename -> fsync of the directory. Files are readable by their owner only. */
export const realDisk: Disk = {
  writeDurably(path, content) {
    const temporary = `${path}.part`;
    try {
      const file = openSync(temporary, 'w', 0o600);
      try {
        writeAll(file, typeof content === 'string' ? Buffer.from(content) : content);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    renameSync(temporary, path);
    syncDirectory(dirname(path));
  },
  remove(path) {
    rmSync(path, { force: true });
    syncDirectory(dirname(path));
  },
};

function writeAll(file: number, content: Uint8Array): void {
  for (let done = 0; done < content.length;) done += writeSync(file, content, done);
}

export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
