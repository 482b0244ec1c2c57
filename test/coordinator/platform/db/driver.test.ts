import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type postgres from 'postgres';
import { connectDatabase, type Sql } from '../../../../coordinator/platform/db/client.ts';
import { checkDriver } from '../../../../coordinator/platform/db/driver/check-driver.ts';
import { patchDriver } from '../../../../coordinator/platform/db/driver/patch-driver.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { freshDatabase } from '../../../support/postgres.ts';

const installed = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
const patchFile = join(import.meta.dirname, '../../../../coordinator/platform/db/driver/postgres-3.4.9.patch');

/** A copy of the installed driver, with its patch taken back. */
async function releasedDriver(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  await cp(installed, folder, { recursive: true });
  const file = join(folder, 'src/connection.js');
  const hunks = (await readFile(patchFile, 'utf8')).split(/^@@ .*\n/m).slice(1);
  let text = await readFile(file, 'utf8');
  for (const hunk of hunks) {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const of = (sign: string) =>
      lines.filter((line) => ` ${sign}`.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`);
    assert.equal(text.split(of('+').join('')).length, 2);
    text = text.replace(of('+').join(''), () => of('-').join(''));
  }
  await writeFile(file, text);
  return folder;
}

test('the released driver is mended once, and a second time changes nothing', async (t) => {
  const folder = await releasedDriver(t);
  assert.equal(await patchDriver(folder), true);
  assert.equal(await patchDriver(folder), false);
  const read = (of: string) => readFile(join(of, 'src/connection.js'), 'utf8');
  assert.equal(await read(folder), await read(installed));
});

test('a driver that is neither the released nor the mended one is left alone, loudly', async (t) => {
  const folder = await releasedDriver(t);
  const file = join(folder, 'src/connection.js');
  const other = `${await readFile(file, 'utf8')}// a later version\n`;
  await writeFile(file, other);
  await assert.rejects(patchDriver(folder), /neither postgres 3\.4\.9's nor the mended one/);
  assert.equal(await readFile(file, 'utf8'), other);
});

test('a start on the released driver is refused in one sentence, on the mended one it is not', async (t) => {
  const { url, sql } = await freshDatabase(t);
  await checkDriver(sql);
  const folder = await releasedDriver(t);
  const { default: released } = (await import(join(folder, 'src/index.js'))) as { default: typeof postgres };
  const { options } = connectDatabase({ url, max: 1 });
  const { host, port, database, user } = options;
  const old = released({ host: host[0] ?? '', port: port[0] ?? 0, database, user, max: 2 }) as Sql;
  await assert.rejects(
    checkDriver(old),
    /^DatabaseStartError: The Postgres driver in node_modules lacks its patch.* run `node/,
  );
  await old.end({ timeout: 1 });
});
