import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { bumpDataVersion } from '../../../../coordinator/platform/db/data-version.ts';
import { listenForNews, onNews } from '../../../../coordinator/platform/db/news.ts';
import { hotCopy } from '../../../../coordinator/platform/hot-copy.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';

const quiet = { warn: () => undefined, error: () => undefined };

async function openProcess(t: TestContext, url: string, direct = url) {
  const sql = connectDatabase({ url, max: 2 });
  t.after(() => sql.end({ timeout: 1 }));
  const warnings: string[] = [];
  const log = { ...quiet, warn: (_: unknown, message?: string) => void warnings.push(message ?? '') };
  const listening = listenForNews({
    sql,
    connectDirectly: () => connectDatabase({ url: direct, max: 1 }),
    log,
    randomBytes,
    tryMs: 50,
  });
  t.after(() => listening.stop());
  return { sql, listening, warnings };
}

test('a change that one process makes is told to another, and its copy is read again at once', async (t) => {
  const { url, sql } = await freshDatabase(t);
  const other = await openProcess(t, url);
  await until('the other to hear', () => other.listening.isHearing());
  let reads = 0;
  // A clock that stands still: nothing is looked for because time has passed.
  const now = () => new Date(0);
  const read = hotCopy({ area: 'market', reader: () => async (version) => `${(reads += 1)} ${version}` })({
    sql: other.sql,
    now,
  });
  const first = await read();
  assert.equal(await read(), first);
  await sql.begin((tx) => bumpDataVersion(tx, 'market'));
  await until('the copy to be read again', async () => (await read()) !== first);
  assert.equal(reads, 2);
});

test('words of the queue, of revocations and of plans come to those who asked for them alone', async (t) => {
  const { url, sql } = await freshDatabase(t);
  const other = await openProcess(t, url);
  await until('the other to hear', () => other.listening.isHearing());
  const heard = { revocation: 0, work: 0, run: 0 };
  const stop = onNews(other.sql, 'revocation', () => void (heard.revocation += 1));
  onNews(other.sql, 'run', () => void (heard.run += 1));
  await sql`update revocation set count = count + 1`;
  await until('the word of a revocation', () => heard.revocation === 1);
  stop();
  onNews(other.sql, 'work', () => void (heard.work += 1));
  await sql`update revocation set count = count + 1`;
  await sql`select pg_notify('gpumark', 'work')`;
  await until('the word of work', () => heard.work === 1);
  assert.deepEqual(heard, { revocation: 1, work: 1, run: 0 });
});

test('a connection that is lost is made anew, and what was told meanwhile is looked at', async (t) => {
  const { url, sql } = await freshDatabase(t);
  const other = await openProcess(t, url);
  await until('the other to hear', () => other.listening.isHearing());
  let heard = 0;
  onNews(other.sql, 'data', () => void (heard += 1));
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
  assert.equal(ended.length, 1);
  await until('a look at everything', () => heard > 0);
  heard = 0;
  await sql.begin((tx) => bumpDataVersion(tx, 'market'));
  await until('a word on the new connection', () => heard > 0);
});
