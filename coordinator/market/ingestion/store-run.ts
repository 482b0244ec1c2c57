import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Context } from '../../platform/context.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { addPartitions, deleteReplaced, moveStaged, openStaging, selectStagedDays } from '../queries/observations.ts';
import { insertRun, lockScope, markReplaced, replaceUnmatched } from '../queries/runs.ts';
import { copyLine, type Observation } from './observation.ts';
import type { UnmatchedLabel } from './unmatched-label.ts';

/** What is known of a file once it was read to its end. */
export interface ReadFile {
  contentSha256: Buffer;
  etag: string | null;
  rowsRead: number;
  refused: Record<string, number>;
  unmatched: UnmatchedLabel[];
}

export interface StoredRun {
  runId: string;
  rowsKept: number;
  days: string[];
  /** observations of earlier readings that these took the place of */
  rowsReplaced: number;
}

/** Bytes of lines that go to Postgres at once. */
const CHUNK = 64 * 1024;

/**
 * One reading of one part of a source: all of its observations or, where `rows` throws, none. Days that are in it take the
 * place of the same days of earlier readings of that part; their prices are computed again. `end` is asked once the
 * rows are through.
 */
export async function storeRun(
  context: Context,
  { source, scope, origin }: { source: string; scope: string; origin: string },
  rows: AsyncIterable<Observation>,
  end: () => ReadFile,
): Promise<StoredRun> {
  const runId = context.newId();
  const startedAt = context.now();
  return context.sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await lockScope(tx, source, scope);
    const { count: rowsKept, months } = await stage(await openStaging(tx), runId, rows);
    const { unmatched, ...read } = end();
    // Others wait for the lock that making a partition takes, so it is not held for as long as this runs.
    await context.sql.begin((short) => addPartitions(short, [...months]));
    const days = await selectStagedDays(tx);
    const rowsReplaced = Number(await deleteReplaced(tx, { source, scope, days }));
    await moveStaged(tx);
    await insertRun(tx, {
      ...read,
      id: runId,
      source,
      scope,
      origin,
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
      rowsKept,
      unmatched: unmatched.reduce((sum, label) => sum + label.rows, 0),
      startedAt,
      endedAt: context.now(),
    });
    await markReplaced(tx, { source, scope, by: runId, days });
    await replaceUnmatched(tx, source, unmatched);
    await recomputeDays(tx, days);
    return { runId, rowsKept, days, rowsReplaced };
  });
}

/** Sends the rows as they come, no faster than Postgres takes them. */
async function stage(
  staging: Awaited<ReturnType<typeof openStaging>>,
  runId: string,
  rows: AsyncIterable<Observation>,
): Promise<{ count: number; months: Set<string> }> {
  const months = new Set<string>();
  let count = 0;
  let lines = '';
  const send = async (): Promise<void> => {
    if (!staging.write(lines)) await once(staging, 'drain');
    lines = '';
  };
  try {
    for await (const row of rows) {
      count += 1;
      const line = copyLine(runId, row);
      months.add(line.slice(0, 7));
      lines += line;
      if (lines.length >= CHUNK) await send();
    }
    if (lines !== '') await send();
    staging.end();
    await finished(staging);
  } catch (error) {
    staging.destroy();
    throw error;
  }
  return { count, months };
}
