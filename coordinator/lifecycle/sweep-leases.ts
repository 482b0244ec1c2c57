import type { Context } from '../platform/context.ts';
import { endTask } from './end-task.ts';
import { lockJob } from './queries/jobs.ts';
import { settleJob } from './settle-job.ts';
import { hasDeliveredAll } from './delivered-all.ts';
import { addWarnings, lockTask } from './queries/tasks.ts';
import { lostNodeWaitSeconds } from './states/job-state.ts';
import { liveTaskStates } from './states/task-state.ts';
import { apart } from './apart.ts';
import { lockSilentTasks, loseTasks, selectDueJobs } from './queries/sweep.ts';

/** Tasks and jobs of one sweep; what is left over is taken at the next. */
const MOST_TASKS = 5000;
const MOST_JOBS = 200;

/**
 * Called every few seconds: gives up nodes whose lease has run out, and moves on the jobs that waited for them or for the end of
 * their registration. Any number of coordinators may sweep at a time. Returns what it did, for the log.
 */
export async function sweepLeases(context: Context): Promise<{ lost: number; completed: number; settled: number }> {
  const now = context.now();
  const silent = await context.sql.begin(async (tx) => {
    const tasks = await lockSilentTasks(tx, { now, limit: MOST_TASKS });
    await loseTasks(
      tx,
      tasks.filter((task) => !task.delivered).map((task) => task.id),
      now,
    );
    return tasks;
  });
  const delivered = silent.filter((task) => task.delivered);
  for (const task of delivered) await apart(context, { task_id: task.id }, () => completeSilent(context, task));
  const lostBefore = new Date(now.getTime() - lostNodeWaitSeconds * 1000);
  const due = await selectDueJobs(context.sql, { now, lostBefore, limit: MOST_JOBS });
  for (const jobId of due) await apart(context, { job_id: jobId }, () => settle(context, jobId));
  return { lost: silent.length - delivered.length, completed: delivered.length, settled: due.length };
}

/** Its agent died between the last result and "complete": nothing measured is missing, so nobody has to wait. */
async function completeSilent(context: Context, { id, job_id }: { id: string; job_id: string }): Promise<void> {
  await context.sql.begin(async (tx) => {
    const job = await lockJob(tx, job_id);
    const task = job && (await lockTask(tx, job_id, { id }));
    const stillSilent =
      task && liveTaskStates.some((state) => state === task.state) && task.lease_expires_at < context.now();
    if (!stillSilent) return;
    if (!(await hasDeliveredAll(tx, job, task))) return loseTasks(tx, [id], context.now());
    await addWarnings(tx, id, ['The agent delivered its results and then stopped answering.']);
    await endTask(context, tx, task, 'completed');
    await settleJob(context, tx, job);
  });
}

async function settle(context: Context, jobId: string): Promise<void> {
  await context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job) await settleJob(context, tx, job);
  });
}
