import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES, hunksOf, sideOf } from '../../coordinator/platform/db/driver/patch-driver.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';

export const installedDriver = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
type Name = (typeof FILES)[number]['name'];
const patchFile = join(import.meta.dirname, '../../coordinator/platform/db/driver/postgres-3.4.9.patch');

/** A copy of the installed Postgres driver with our patch taken back. */
export async function releasedDriver(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  await cp(installedDriver, folder, { recursive: true });
  const patch = await readFile(patchFile, 'utf8');
  for (const { name } of FILES) {
    const takeBack = (text: string): string =>
      hunksOf(patch, name).reduce((whole, hunk) => {
        assert.equal(whole.split(sideOf(hunk, '+')).length, 2);
        return whole.replace(sideOf(hunk, '+'), () => sideOf(hunk, '-'));
      }, text);
    await changeDriver(folder, takeBack, name);
  }
  return folder;
}

/** Rewrites a file of the driver; default: the one that speaks to the server. */
export async function changeDriver(
  folder: string,
  change: (text: string) => string,
  name: Name = 'src/connection.js',
): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, change(await readFile(file, 'utf8')));
}
