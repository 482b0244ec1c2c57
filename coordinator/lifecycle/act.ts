import { jobOfToken } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { notFound } from '../platform/errors.ts';
import type { LockedJob, LockedTask } from './locked-rows.ts';
import { lockJob, lockTask } from './queries/locks.ts';
import { settleJob } from './settle-job.ts';
import { demandSession, jobNotActive, type Secret } from './session.ts';

/** A job and one of its tasks, both locked for the rest of the transaction. */
export interface Node {
  job: LockedJob;
  task: LockedTask;
}

interface Call {
  /** the caller: the session that must hold the task */
  session: Secret & { task_id: string; epoch: number };
  /** an archived job accepts nothing more; only a beat can still ask for its state */
  accepts: 'while_unarchived' | 'always';
}

// The driver's type of `begin` unwraps arrays of promises; no result here is one, hence the two casts.

/**
 * One change that the agent of a task requests, in a transaction of its own: locks job and task, checks the session, runs
 * `work`, and settles the job if `work` asks for it. Returns what `work` returned and the job as it is then. Throws
 * `not_found`, 409 JOB_NOT_ACTIVE for an archived job, 409 STALE_EPOCH, 403 TASK_SECRET_INVALID.
 */
export async function act<T extends object>(
  context: Context,
  { session, accepts }: Call,
  work: (tx: Transaction, node: Node) => Promise<T & { settle?: { lateResult: boolean } | undefined }>,
): Promise<T & { job: LockedJob }> {
  const { jobId } = jobOfToken(context.actor);
  const done = await context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job) throw notFound('Job');
    const task = await lockTask(tx, jobId, { id: session.task_id });
    if (!task) throw notFound('Task');
    if (accepts === 'while_unarchived' && job.archived_at !== null) throw jobNotActive('The job is archived.');
    demandSession(task, session);
    const done = await work(tx, { job, task });
    return { ...done, job: done.settle ? await settleJob(context, tx, job, done.settle) : job };
  });
  return done as T & { job: LockedJob };
}

/** Runs `work` on a locked job in a transaction of its own; undefined if there is no such job. */
export async function actOnJob<T>(
  context: Context,
  jobId: string,
  work: (tx: Transaction, job: LockedJob) => Promise<T>,
): Promise<T | undefined> {
  const done = await context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    return job && work(tx, job);
  });
  return done as T | undefined;
}
