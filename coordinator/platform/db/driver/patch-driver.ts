import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The one file of postgres 3.4.9 that is mended, by SHA-256: as released, and as `postgres-3.4.9.patch` makes it. */
const RELEASED = 'ee3a218d9aa6a6f2887c1a19da50009335fe84c11a5431d5cab72d6bc528632f';
const MENDED = '3890b498f4a3854277d26f5ce7d0a21876a15d44e5b2ff79f9905723588d820d';
const FILE = 'src/connection.js';
const patchFile = join(import.meta.dirname, 'postgres-3.4.9.patch');

/**
 * Mends the driver in its folder of node_modules, once: true if it had to be. Only the released file is changed, and only into
 * the one that was tested; anything else throws, so that a new version of the driver is not taken for a mended one.
 */
export async function patchDriver(folder: string): Promise<boolean> {
  const file = join(folder, FILE);
  const found = await readFile(file, 'utf8');
  const hash = sha256(found);
  if (hash === MENDED) return false;
  if (hash !== RELEASED)
    throw new Error(`${file} is neither postgres 3.4.9's nor the mended one. Run npm ci, or renew ${patchFile}.`);
  const mended = applied(await readFile(patchFile, 'utf8'), found);
  if (sha256(mended) !== MENDED) throw new Error(`${patchFile} makes another file of ${file} than the tested one.`);
  // A new file under the old name: node_modules may share its files with others by hard links.
  await writeFile(`${file}.new`, mended);
  await rename(`${file}.new`, file);
  return true;
}

/** Each hunk's old lines, which must stand in the text exactly once, become its new ones. */
function applied(patch: string, text: string): string {
  const hunks = patch.split(/^@@ .*\n/m).slice(1);
  return hunks.reduce((whole, hunk) => {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const side = (sign: '-' | '+') =>
      lines
        .filter((line) => line.startsWith(' ') || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const pieces = whole.split(side('-'));
    if (pieces.length !== 2) throw new Error(`${patchFile}: a hunk fits ${pieces.length - 1} places`);
    return pieces.join(side('+'));
  }, text);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

if (import.meta.main) {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
  const isNew = await patchDriver(folder);
  process.stdout.write(`${folder}: ${isNew ? 'mended' : 'mended before'}\n`);
}
