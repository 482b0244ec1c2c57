import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** SHA256SUMS in `folder`, as `sha256sum -c` reads it. */
export function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

const sha256Of = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
