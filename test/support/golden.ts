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
  const golden = await readFile(path, 'utf8');
  if (text !== golden) assert.fail(`${firstDifference(text, golden, name)}; UPDATE_GOLDEN=1 rewrites it`);
}

function firstDifference(text: string, golden: string, name: string): string {
  const [ours, theirs] = [text.split('\n'), golden.split('\n')];
  const line = ours.findIndex((words, index) => words !== theirs[index]);
  const at = line < 0 ? ours.length : line;
  return `test/golden/${name}:${at + 1} has ${JSON.stringify(theirs[at])}, now it is ${JSON.stringify(ours[at])}`;
}

export const goldenJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
