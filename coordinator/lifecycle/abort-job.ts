import { changeTaskState, changeJobState } from './change-task.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { enqueueWork } from '../platform/work-queue/enqueue-work.ts';
import { endClusterRuns } from './on-job-ending.ts';
import { taskHasEnded } from './states.ts';
import { selectNodes } from './queries/summary.ts';
import { lockNodes } from './queries/locks.ts';
import { type LockedJob } from './locked-rows.ts';
import { summariseJob } from './summary/summarise-job.ts';

/** Ends an active, locked job and its unfinished tasks as aborted; what was delivered stays. An ended job stays as it is. */
export async function abortJob(context: Context, tx: Transaction, job: LockedJob, reason: string): Promise<LockedJob> {
  const now = context.now();
  const aborted = await changeJobState(tx, job, { kind: 'aborted' }, now);
  if (aborted.state === job.state) return job;
  for (const { task_id: id, state } of await lockNodes(tx, job.id)) {
    if (taskHasEnded(state)) continue;
    await changeTaskState(tx, { id, state }, { kind: 'ended', outcome: 'aborted' }, { now, message: reason });
    await enqueueWork(tx, context, { kind: 'task_report', subject_id: id, customer_id: job.customer_id });
  }
  const runs = await endClusterRuns(context, tx, job.id, 'the job was aborted');
  const nodes = await selectNodes(tx, job.id);
  if (nodes.length === 0) return aborted;
  await summariseJob(context, tx, aborted, nodes, runs);
  await enqueueWork(tx, context, { kind: 'job_report', subject_id: job.id, customer_id: job.customer_id });
  return aborted;
}
