import { judgeResults } from '../../figures/judge-results.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { selectNewestQuickMark } from '../queries/summary.ts';
import { votingFigures } from './node-figures.ts';
import { figuresForPeers } from './peer-figures.ts';
import { selectUnread, setFigures } from './queries.ts';

/** A node of eight GPUs has some 280 KiB of JSON, which takes a few milliseconds: 12,000 nodes an hour. */
const MOST_AT_A_TIME = 200;

/**
 * Called every minute: reads the figures of nodes that an earlier release entered with no more than what a verdict rests on. A
 * result that says nothing more, or that nobody can read, leaves it at that. Returns how many it has dealt with.
 */
export async function readFigures({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<number> {
  const unread = await selectUnread(sql, MOST_AT_A_TIME);
  for (const { task_id } of unread) {
    try {
      await setFigures(sql, task_id, await figuresIn(sql, task_id));
    } catch (error) {
      log.warn({ err: error, task_id }, 'the figures of this task are not compared beyond those of its verdict');
      await setFigures(sql, task_id, {});
    }
  }
  return unread.length;
}

async function figuresIn(sql: Queryable, taskId: string): Promise<Record<string, number>> {
  const newest = await selectNewestQuickMark(sql, taskId);
  if (newest === undefined) return {};
  const judged = judgeResults(newest.results);
  return votingFigures(judged.test_results) === null ? {} : figuresForPeers(judged);
}
