import type { Context } from '../platform/context.ts';
import { endTask, hasDeliveredAll } from './end-task.ts';
import { lockSilentTasks, lockTask } from './queries/locks.ts';
import { settleJob } from './settle-job.ts';
import { addWarnings } from './describe-task.ts';
import { lostNodeWaitSeconds } from './states/job-state.ts';
import { liveTaskStates } from './states/task-state.ts';
import { apart } from './apart.ts';
import { actOnJob } from './act.ts';
import { changeTaskState, changeTaskStates } from './change-state.ts';
import { selectDueJobs } from './queries/sweep.ts';

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
    const given = tasks.filter((task) => !task.delivered);
    await changeTaskStates(tx, given, { kind: 'lease_ran_out' }, { now });
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
