import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type postgres from 'postgres';
import { connectDatabase, type Sql } from '../../../../coordinator/platform/db/client.ts';
import { checkDriver } from '../../../../coordinator/platform/db/open-database.ts';
import { patchDriver } from '../../../../coordinator/platform/db/driver/patch-driver.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { changeDriver, installedDriver, releasedDriver } from '../../../support/released-driver.ts';

test('the released driver is mended once, and a second time changes nothing', async (t) => {
  const folder = await releasedDriver(t);
  assert.equal(await patchDriver(folder), true);
  assert.equal(await patchDriver(folder), false);
  const read = (of: string) => readFile(join(of, 'src/connection.js'), 'utf8');
  assert.equal(await read(folder), await read(installedDriver));
});

test('a driver that is neither the released nor the mended one is left alone, loudly', async (t) => {
  const folder = await releasedDriver(t);
  const file = join(folder, 'src/connection.js');
  await changeDriver(folder, (text) => `${text}// a later version\n`);
  const other = await readFile(file, 'utf8');
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
