import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { isDatabaseError } from '../../../../coordinator/platform/db/error-kind.ts';
import { freshDatabase } from '../../../support/postgres.ts';

/** By the names that Postgres gives its conditions, so that it says itself which code each has. */
const conditions = {
  division_by_zero: ['value refused'],
  invalid_text_representation: ['value refused'],
  unique_violation: ['made meanwhile'],
  duplicate_database: ['made meanwhile'],
  serialization_failure: ['made meanwhile', 'passing'],
  lock_not_available: ['locked', 'passing'],
  query_canceled: ['cancelled', 'passing'],
  cannot_connect_now: ['not open yet', 'passing'],
  too_many_connections: ['not open yet', 'passing'],
  deadlock_detected: ['passing'],
  disk_full: ['passing'],
  connection_failure: ['passing'],
  insufficient_privilege: [],
  undefined_table: [],
  foreign_key_violation: [],
};
const kinds = ['value refused', 'made meanwhile', 'locked', 'cancelled', 'not open yet', 'passing'] as const;
const kindsOf = (error: unknown) => kinds.filter((kind) => isDatabaseError(error, kind));

describe('what an error of the database means', async () => {
  const { sql } = await freshDatabase({ after });
  for (const [condition, expected] of Object.entries(conditions))
    test(`${condition}: ${expected.join(', ') || 'nothing in particular'}`, async () => {
      const raised = sql.unsafe(`do $$ begin raise ${condition}; end $$`).then(
        () => null,
        (error: unknown) => error,
      );
      assert.deepEqual(kindsOf(await raised), expected);
    });

  test('a port where nothing listens, and errors that are not of a database', async () => {
    const nowhere = connectDatabase({ url: 'postgres://somebody@127.0.0.1:1/nothing', max: 1 });
    const refused = await nowhere`select 1`.catch((error: unknown) => error);
    assert.deepEqual(kindsOf(refused), ['passing']);
    await nowhere.end({ timeout: 1 });
    assert.deepEqual(kindsOf(new Error('something else')), []);
    assert.deepEqual(kindsOf({ code: '55P03' }), []);
  });
});
