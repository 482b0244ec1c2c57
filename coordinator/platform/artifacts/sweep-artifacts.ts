import type { Context } from '../context.ts';
import type { Transaction } from '../db/client.ts';
import { countTries, forgetRemovals, lockDue } from './queries.ts';

const BATCH = 50;
/** Further files are removed by the next sweep. */
const MOST_BATCHES = 20;

/**
 * Removes the files that are due and that no artifact refers to; returns how many. The file is removed before its entry: if
 * the process dies in between, the removal is repeated. A file that cannot be removed is logged and tried again.
 */
export async function sweepArtifacts(context: Context): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const { seen, gone, failed } = await context.sql.begin((tx) => sweepBatch(context, tx));
    removed += gone;
    if (seen < BATCH || failed > 0) break;
  }
  return removed;
}

async function sweepBatch({ artifacts, log, now }: Context, tx: Transaction) {
  const due = await lockDue(tx, { now: now(), limit: BATCH });
  const failed: string[] = [];
  let gone = 0;
  for (const { storage_key: key, is_named: isNamed } of due) {
    if (isNamed) continue;
    try {
      await artifacts.remove(key);
      gone += 1;
    } catch (error) {
      failed.push(key);
      log.error({ err: error, artifact: key }, 'the file of a deleted job cannot be removed');
    }
  }
  const done = due.map(({ storage_key: key }) => key).filter((key) => !failed.includes(key));
  if (done.length > 0) await forgetRemovals(tx, done);
  if (failed.length > 0) await countTries(tx, failed);
  return { seen: due.length, gone, failed: failed.length };
}
