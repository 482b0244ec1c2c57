import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of postgres 3.4.9 that are patched, with their SHA-256 as released and after `postgres-3.4.9.patch`. */
export const FILES = [
  {
    name: 'src/connection.js',
    released: 'ee3a218d9aa6a6f2887c1a19da50009335fe84c11a5431d5cab72d6bc528632f',
    patched: '3890b498f4a3854277d26f5ce7d0a21876a15d44e5b2ff79f9905723588d820d',
  },
  {
    name: 'src/query.js',
    released: '67c45a5151032aa46b587abc15381fe4efd97c696e5c1b53082b8161309c4ee2',
    patched: '78e4bf6bd9fff9baf9d337b25abe29a947170c714eb2492f81dbfd6b05c76933',
  },
  {
    name: 'src/index.js',
    released: '4e21f5733e70d79cffc10d10d4ef01031de4a9ac862210e43f8870029fd103ed',
    patched: '6889a7c7f622f5e0ea756e67162c3148ed79ed3157e4049c5afad7203e41ffbb',
  },
] as const;
const patchFile = join(import.meta.dirname, 'postgres-3.4.9.patch');

/**
 * Patches the driver in its folder of node_modules; returns false if it was patched already. Changes only files that are
 * exactly as released, and only into the tested ones. Throws without changing anything if a file is neither as released nor
 * patched, so that a new version of the driver is not mistaken for the patched one.
 */
export async function patchDriver(folder: string): Promise<boolean> {
  const patch = await readFile(patchFile, 'utf8');
  const made = await Promise.all(FILES.map((file) => patchedText(folder, file, hunksOf(patch, file.name))));
  const changed = made.filter((file) => file !== null);
  for (const { path, text } of changed) {
    // Replaces the file instead of writing to it: other node_modules may share it by hard link.
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
  return changed.length > 0;
}

/** Null if the file is patched already. */
async function patchedText(
  folder: string,
  { name, released, patched }: (typeof FILES)[number],
  hunks: readonly string[],
): Promise<{ path: string; text: string } | null> {
  const path = join(folder, name);
  const found = await readFile(path, 'utf8');
  const hash = sha256(found);
  if (hash === patched) return null;
  if (hash !== released)
    throw new Error(`${path} is neither postgres 3.4.9's nor the patched one. Run npm ci, or renew ${patchFile}.`);
  const text = hunks.reduce(applied, found);
  if (sha256(text) !== patched) throw new Error(`${patchFile} makes another file of ${path} than the tested one.`);
  return { path, text };
}

/** The hunks of one file in the patch, as lines with their signs. */
export function hunksOf(patch: string, name: string): string[] {
  const section = patch.split(/^--- a\//m).find((part) => part.startsWith(`${name}\n`)) ?? '';
  return section
    .split(/^@@ .*\n/m)
    .slice(1)
    .map((hunk) => hunk.split(/^$/m)[0] ?? '');
}

/** Replaces a hunk's old lines, which must appear in the text exactly once, by its new ones. */
function applied(text: string, hunk: string): string {
  const pieces = text.split(sideOf(hunk, '-'));
  if (pieces.length !== 2) throw new Error(`${patchFile}: a hunk fits ${pieces.length - 1} places`);
  return pieces.join(sideOf(hunk, '+'));
}

/** A hunk's old lines (`-`) or new lines (`+`). */
export const sideOf = (hunk: string, sign: '-' | '+'): string =>
  hunk
    .split('\n')
    .filter((line) => line.startsWith(' ') || line.startsWith(sign))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

if (import.meta.main) {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
  const isNew = await patchDriver(folder);
  process.stdout.write(`${folder}: ${isNew ? 'patched' : 'patched before'}\n`);
}
