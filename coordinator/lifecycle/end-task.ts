import type { Context } from '../platform/context.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { enqueueWork } from '../platform/work-queue/enqueue-work.ts';
import { judgeStored } from '../figures/judge-results.ts';
import { criticalHealth } from '../figures/tell-health.ts';
import { votingFigures } from './performance/node-figures.ts';
import { figuresForPeers } from './performance/peer-figures.ts';
import { deleteScoreboardEntry, upsertScoreboardEntry } from './performance/queries.ts';
import { changeTaskState } from './change-task.ts';
import { selectDelivered, selectNewestQuickMark, selectQuickMarks, type Delivered } from './queries/summary.ts';
import type { LockedJob, LockedTask } from './locked-rows.ts';
import { isClusterBenchmark } from './benchmarks.ts';

/**
 * Ends a locked task, enters its figures for comparison and enqueues its report. A task that has ended stays as it is. One whose
 * results have a critical health finding has failed, whatever its agent says: its figures stay, with that sentence.
 */
export async function endTask(
  context: Context,
  tx: Transaction,
  task: LockedTask,
  outcome: 'completed' | 'failed' | 'aborted',
  message: string | null = null,
): Promise<LockedTask> {
  const ill = outcome === 'completed' ? await criticalFinding(tx, task.id) : null;
  const event = { kind: 'ended', outcome: ill === null ? outcome : 'failed' } as const;
  const ended = await changeTaskState(tx, task, event, { now: context.now(), message: ill ?? message });
  if (ended !== task) await publishTask(context, tx, ended);
  return ended;
}

async function criticalFinding(tx: Transaction, taskId: string): Promise<string | null> {
  const measured = await selectQuickMarks(tx, taskId);
  return measured.map((results) => criticalHealth(judgeStored(results))).find((sentence) => sentence !== null) ?? null;
}

/** Publishes an ended task: its figures (if completed, not simulated, not doubtful) and its report. Safe to repeat. */
export async function publishTask(context: Context, tx: Transaction, task: LockedTask): Promise<void> {
  const newest = task.state === 'completed' && !task.simulated ? await selectNewestQuickMark(tx, task.id) : undefined;
  // Results stored by earlier versions were not judged on arrival.
  const judged = newest ? judgeStored(newest.results) : null;
  const figures = judged ? votingFigures(judged.test_results) : null;
  if (newest && judged && figures) {
    const { id: task_id, job_id, customer_id, machine_uuid } = task;
    const of = { task_id, job_id, customer_id, machine_uuid, measured_at: newest.ended_at };
    await upsertScoreboardEntry(tx, of, figures, figuresForPeers(judged));
  } else {
    await deleteScoreboardEntry(tx, task.id);
  }
  await enqueueWork(tx, context, { kind: 'task_report', subject_id: task.id, customer_id: task.customer_id });
}

/** What a node has yet to deliver: benchmarks without any result, and newest results that are not completed. */
export async function deliveryOf(
  sql: Queryable,
  job: Pick<LockedJob, 'benchmarks'>,
  task: { id: string },
): Promise<{ missing: string[]; unmeasured: Delivered[] }> {
  const delivered = new Map((await selectDelivered(sql, task.id)).map((result) => [result.benchmark_id, result]));
  const expected = job.benchmarks.filter((id) => !isClusterBenchmark(id));
  return {
    missing: expected.filter((id) => !delivered.has(id)),
    unmeasured: expected.flatMap((id) => delivered.get(id) ?? []).filter(({ state }) => state !== 'completed'),
  };
}

/** True when the newest result of every benchmark that a node measures is completed. */
export async function hasDeliveredAll(
  sql: Queryable,
  job: Pick<LockedJob, 'benchmarks'>,
  task: { id: string },
): Promise<boolean> {
  const { missing, unmeasured } = await deliveryOf(sql, job, task);
  return missing.length + unmeasured.length === 0;
}
