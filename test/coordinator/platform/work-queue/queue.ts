import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { readConfig } from '../../../../coordinator/platform/config.ts';
import { type Platform, idSource } from '../../../../coordinator/platform/context.ts';
import { createLog } from '../../../../coordinator/platform/log.ts';
import { runWorkQueue } from '../../../../coordinator/platform/work-queue/run-work-queue.ts';
import { testClock } from '../../../support/clock.ts';
import { freshDatabase } from '../../../support/postgres.ts';

export async function setUp(t: TestContext) {
  const { sql } = await freshDatabase(t);
  const clock = testClock(new Date('2026-11-21T12:00:00Z'));
  const none = () => Promise.reject(new Error('no artifacts here'));
  const platform: Platform = {
    config: readConfig({}),
    sql,
    artifacts: { keyOf: () => '', put: none, open: none, remove: none, signedUrl: none, checkUrl: () => 'altered' },
    log: createLog('silent'),
    now: clock.now,
    randomBytes,
    newId: idSource(clock.now, randomBytes),
  };
  const rows = () => sql`select subject_id, state, attempts, error, run_at, locked_until from work_item order by id`;
  return { sql, clock, platform, rows };
}

export const poll = { pollSeconds: 0.01 };

/** A runner that also stops where its test fails: a file with one still running would never end. */
export function startRunner(
  t: TestContext,
  options: Parameters<typeof runWorkQueue>[0],
): ReturnType<typeof runWorkQueue> {
  const runner = runWorkQueue(options);
  t.after(runner.stop);
  return runner;
}

export const done = (rows: Iterable<{ state?: string }>) =>
  [...rows].every(({ state }) => state === 'done' || state === 'failed');
