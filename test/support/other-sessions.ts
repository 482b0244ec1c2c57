import type { Queryable } from '../../coordinator/platform/db/client.ts';
import { until } from './until.ts';

/** Until at least so many sessions of the test's own database wait for a lock of another one, with a statement that is `like`. */
export async function untilLocked(sql: Queryable, count = 1, like = '%'): Promise<void> {
  await until(`${count} sessions wait for a lock`, async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like ${like}`;
    return waiting.length >= count;
  });
}

/** Until a program that was killed has no session left in the test's own database. */
export async function untilGone(sql: Queryable, program: string): Promise<void> {
  await until(`the sessions of ${program} are over`, async () => {
    const left = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = ${program}`;
    return left.length === 0;
  });
}
