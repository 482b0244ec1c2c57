import type { Context } from '../platform/context.ts';
import { abortJob, settleJob } from './settle-job.ts';
import { actOnJob } from './act.ts';
import { changeTaskState, changeTaskStates, addWarnings } from './change-task.ts';
import { endTask, hasDeliveredAll } from './end-task.ts';
import { lockSilentTasks, lockTask } from './queries/locks.ts';
import { archiveJobs, selectDueJobs, selectExpiredJobs } from './queries/leases.ts';
import { archiveAfterDays, liveTaskStates, lostNodeWaitSeconds } from './states.ts';

/** Tasks and jobs handled by one sweep; the rest is left to the next. */
const MOST_TASKS = 5000;
const MOST_JOBS = 200;

/**
 * Called every few seconds: gives up nodes whose lease has run out, and settles the jobs that waited for them or for the end of
 * their registration. Any number of coordinators can sweep at the same time. Returns what it did, for the log.
 */
export async function sweepLeases(context: Context): Promise<{ lost: number; completed: number; settled: number }> {
  const now = context.now();
  const silent = await context.sql.begin(async (tx) => {
    const tasks = await lockSilentTasks(tx, { now, limit: MOST_TASKS });
    const lost = tasks.filter((task) => !task.has_quick_mark);
    await changeTaskStates(tx, lost, { kind: 'lease_ran_out' }, { now });
    return tasks;
  });
  const measured = silent.filter((task) => task.has_quick_mark);
  for (const task of measured) await apart(context, { task_id: task.id }, () => completeSilent(context, task));
  const lostBefore = new Date(now.getTime() - lostNodeWaitSeconds * 1000);
  const due = await selectDueJobs(context.sql, { now, lostBefore, limit: MOST_JOBS });
  for (const jobId of due) await apart(context, { job_id: jobId }, () => settle(context, jobId));
  return { lost: silent.length - measured.length, completed: measured.length, settled: due.length };
}

/** If all is delivered, the agent died between the last result and "complete": ends the task at once. Else it is lost. */
async function completeSilent(context: Context, { id, job_id }: { id: string; job_id: string }): Promise<void> {
  await actOnJob(context, job_id, async (tx, job) => {
    const task = await lockTask(tx, job_id, { id });
    const now = context.now();
    const stillSilent = task && liveTaskStates.some((state) => state === task.state) && task.lease_expires_at < now;
    if (!stillSilent) return;
    if (!(await hasDeliveredAll(tx, job, task))) {
      await changeTaskState(tx, task, { kind: 'lease_ran_out' }, { now });
      return;
    }
    await addWarnings(tx, id, ['The agent delivered its results and then stopped answering.']);
    await endTask(context, tx, task, 'completed');
    await settleJob(context, tx, job);
  });
}

const settle = async (context: Context, jobId: string): Promise<void> =>
  void (await actOnJob(context, jobId, (tx, job) => settleJob(context, tx, job)));

/** One item of a sweep: its failure is logged and does not keep the others, of other customers, from being handled. */
async function apart(context: Context, item: Record<string, string>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error({ err: error, ...item }, 'the sweep could not finish this one; it is tried again at the next');
  }
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Called every few seconds: aborts jobs that expired before they ended, archives jobs that ended long ago. Returns
 * what it did, for the log.
 */
export async function expireJobs(context: Context): Promise<{ expired: number; archived: number }> {
  const now = context.now();
  const expired = await selectExpiredJobs(context.sql, { now, limit: MOST_JOBS });
  for (const jobId of expired) await apart(context, { job_id: jobId }, () => expire(context, jobId));
  const endedBefore = new Date(now.getTime() - archiveAfterDays * DAY_MS);
  const archived = await archiveJobs(context.sql, { now, endedBefore, limit: MOST_JOBS });
  return { expired: expired.length, archived };
}

async function expire(context: Context, jobId: string): Promise<void> {
  await actOnJob(context, jobId, async (tx, job) => {
    if (job.expires_at <= context.now())
      await abortJob(context, tx, job, 'The job expired before this node had finished.');
  });
}
