import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../golden/', import.meta.url);

/** Compares text with test/golden/NAME. UPDATE_GOLDEN=1 writes it instead, for a change that is meant. */
export async function matchesGolden(name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(name, root));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return;
  }
  assert.equal(text, await readFile(path, 'utf8'), `differs from test/golden/${name}; UPDATE_GOLDEN=1 rewrites it`);
}

export const goldenJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
