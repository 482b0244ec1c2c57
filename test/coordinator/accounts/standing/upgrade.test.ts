import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findStanding } from '../../../../coordinator/accounts/standing/queries.ts';
import { migrate, MIGRATIONS_DIRECTORY } from '../../../../coordinator/platform/db/migrate.ts';
import { emptyDatabase } from '../../../support/postgres.ts';

test('companies of before there were subscriptions keep their tier, those whose time was over have none', async (t) => {
  const { sql } = await emptyDatabase(t);
  const directory = await mkdtemp(join(tmpdir(), 'gpumark-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  // Those of before have numbers up to 11.
  for (const name of await readdir(MIGRATIONS_DIRECTORY))
    if (Number(name.slice(0, 4)) <= 11) await copyFile(join(MIGRATIONS_DIRECTORY, name), join(directory, name));
  await migrate(sql, { directory });
  await sql`
    insert into customer (id, name, tier, subscription_ends_at, created_at) values
      (1, 'open', 'plus', null, '2026-01-01'),
      (2, 'until', 'enterprise', '2027-01-01', '2026-01-01'),
      (3, 'over', 'professional', '2026-06-01', '2026-01-01'),
      (4, 'odd', 'plus', '2025-06-01', '2026-01-01')`;
  await migrate(sql);
  const at = new Date('2026-11-21T12:00:00Z');
  const standings = await Promise.all(['1', '2', '3', '4'].map((id) => findStanding(sql, id, at)));
  assert.deepEqual(
    standings.map((standing) => [standing?.tier, standing?.subscribed]),
    [
      ['plus', true],
      ['enterprise', true],
      ['basic', false],
      ['basic', false],
    ],
  );
});
