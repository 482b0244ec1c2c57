import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type postgres from 'postgres';
import { median } from '../../../../coordinator/figures/statistics.ts';
import type { Sql } from '../../../../coordinator/platform/db/client.ts';
import { checkDriver } from '../../../../coordinator/platform/db/open-database.ts';
import { FILES, patchDriver } from '../../../../coordinator/platform/db/driver/patch-driver.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { changeDriver, installedDriver, releasedDriver } from '../../../support/released-driver.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

test('the released driver is patched once, and a second time changes nothing', async (t) => {
  const folder = await releasedDriver(t);
  assert.equal(await patchDriver(folder), true);
  assert.equal(await patchDriver(folder), false);
  const read = (of: string) => Promise.all(FILES.map(({ name }) => readFile(join(of, name), 'utf8')));
  assert.deepEqual(await read(folder), await read(installedDriver));
});

test('a driver of which one file is neither the released nor the patched one is left alone, with an error', async (t) => {
  for (const { name } of FILES) {
    const folder = await releasedDriver(t);
    await changeDriver(folder, (text) => `${text}// a later version\n`, name);
    const read = () => Promise.all(FILES.map((file) => readFile(join(folder, file.name), 'utf8')));
    const before = await read();
    await assert.rejects(patchDriver(folder), /neither postgres 3\.4\.9's nor the patched one/);
    assert.deepEqual(await read(), before, name);
  }
});

test('a start on the released driver is refused in one sentence, on the patched one it is not', async (t) => {
  const { sql } = await freshDatabase(t);
  await checkDriver(sql);
  await assert.rejects(
    checkDriver(await releasedPool(t, sql)),
    /^DatabaseStartError: The Postgres driver in node_modules lacks its patch.* run `node/,
  );
});

/** A pool of the released driver at the same database. */
async function releasedPool(t: TestContext, { options }: Sql): Promise<Sql> {
  const folder = await releasedDriver(t);
  const { default: released } = (await import(join(folder, 'src/index.js'))) as { default: typeof postgres };
  const { host, port, database, user } = options;
  const pool = released({ host: host[0] ?? '', port: port[0] ?? 0, database, user, max: 2 }) as Sql;
  t.after(() => pool.end({ timeout: 1 }));
  return pool;
}

test('rows that were read go with a small collection of memory, those of the released driver stay until a whole one', async (t) => {
  const { sql } = await freshDatabase(t);
  const old = await releasedPool(t, sql);
  // A whole collection may come by itself in between, after which nothing stays, or a small one in the middle of an answer, after which
  // more stays: the median of five.
  const patched = await medianStaying(sql);
  const released = await medianStaying(old);
  assert.ok(patched < released / 4, `${patched} bytes stay, with the released driver ${released}`);
});

/** Bytes that a small collection leaves of thirty answers of half a megabyte that nobody holds; the median of five times. */
async function medianStaying(sql: Sql): Promise<number> {
  const staying: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    collect();
    for (let n = 0; n < 30; n += 1)
      await sql`select g, g || ' of many rows' as text, now() as at from generate_series(1, 2000) g`;
    collect({ type: 'minor' });
    const before = process.memoryUsage().heapUsed;
    collect();
    staying.push(before - process.memoryUsage().heapUsed);
  }
  return median(staying);
}
