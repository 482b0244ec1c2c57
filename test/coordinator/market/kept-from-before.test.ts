import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS_DIRECTORY, migrate } from '../../../coordinator/platform/db/migrate.ts';
import { emptyDatabase } from '../../support/postgres.ts';

test('readings of before keep what is known of them: what is left of each, and that none can be undone', async (t) => {
  const { sql } = await emptyDatabase(t);
  const directory = await mkdtemp(join(tmpdir(), 'gpumark-migrations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  for (const name of await readdir(MIGRATIONS_DIRECTORY))
    if (name < '0017') await cp(join(MIGRATIONS_DIRECTORY, name), join(directory, name));
  await migrate(sql, { directory });
  // Kept 3, 2 and 1: of the first a day was taken, the second went whole, the third stands.
  await sql`
    insert into ingest_run (id, source, scope, origin, content_sha256, first_day, last_day, rows_read, rows_kept, refused,
      unmatched, started_at, ended_at)
    select id, 'observations', 'p', 'p.csv', '', '2025-03-01', '2025-03-02', kept, kept, '{}', 0, now(), now()
    from (values (1, 3), (2, 2), (3, 1)) as run (id, kept)`;
  await sql`update ingest_run set replaced_by = 3 where id = 2`;
  await sql`select add_market_partition('observation', 'observation_2025_03', '2025-03-01', '2025-04-01')`;
  await sql`
    insert into observation (observed_at, run_id, product_id, provider_id, price_type, price, original_price, currency,
      rate, gpu_count, cluster_size)
    select day::date, run, product, 7, 0, 2, 2, 'USD', 1, 8, 1
    from (values ('2025-03-01', 1, 1029), ('2025-03-01', 1, 1030), ('2025-03-02', 3, 1029)) as seen (day, run, product)`;
  await migrate(sql);
  const rows = await sql`
    select id::int4, days, products, providers, rows_aside::int4, keeps_replaced from ingest_run order by id`;
  const unknown = { days: null, products: null, providers: null };
  assert.deepEqual(
    [...rows],
    [
      { id: 1, days: 1, products: 2, providers: 1, rows_aside: 1, keeps_replaced: false },
      { id: 2, ...unknown, rows_aside: 2, keeps_replaced: false },
      { id: 3, days: 1, products: 1, providers: 1, rows_aside: 0, keeps_replaced: false },
    ],
  );
});
