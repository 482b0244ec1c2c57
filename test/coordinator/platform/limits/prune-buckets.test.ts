import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteFullBuckets } from '../../../../coordinator/platform/limits/queries.ts';
import { exchangeTokens } from '../../../../coordinator/platform/limits/queries.ts';
import { freshDatabase } from '../../../support/postgres.ts';

test('a bucket that is full again is forgotten, one that is not stays', async (t) => {
  const { sql } = await freshDatabase(t);
  const rate = { perMinute: 60, burst: 100 };
  await exchangeTokens(sql, [
    { key: 'full', ...rate, wanted: 10 },
    { key: 'filling', ...rate, wanted: 30 },
  ]);
  // At one a second 20 s bring back 10 of 10, and 20 of 30.
  await sql`update rate_bucket set at = at - interval '20 seconds'`;
  assert.equal(await deleteFullBuckets(sql), 1);
  assert.deepEqual([...(await sql`select key from rate_bucket`)], [{ key: 'filling' }]);
});
