import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataDir, removeDataDir } from './data-dir.ts';

export const installedDriver = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
const patchFile = join(import.meta.dirname, '../../coordinator/platform/db/driver/postgres-3.4.9.patch');

/** A copy of the installed Postgres driver with our patch taken back. */
export async function releasedDriver(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  await cp(installedDriver, folder, { recursive: true });
  const hunks = (await readFile(patchFile, 'utf8')).split(/^@@ .*\n/m).slice(1);
  await changeDriver(folder, (text) =>
    hunks.reduce((whole, hunk) => {
      const lines = hunk.split('\n').filter((line) => line !== '');
      const side = (sign: string) =>
        lines
          .filter((line) => ` ${sign}`.includes(line.charAt(0)))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      assert.equal(whole.split(side('+')).length, 2);
      return whole.replace(side('+'), () => side('-'));
    }, text),
  );
  return folder;
}

/** Rewrites the file of the driver that speaks to the server. */
export async function changeDriver(folder: string, change: (text: string) => string): Promise<void> {
  const file = join(folder, 'src/connection.js');
  await writeFile(file, change(await readFile(file, 'utf8')));
}
