import type { Transaction } from '../platform/db/client.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { lockJob, type LockedJob } from './queries/jobs.ts';
import { demandSecret, type Secret } from './task-secret.ts';
import { lockTask, type LockedTask } from './queries/tasks.ts';

/** The job of the token and one task of it, both locked, the job first. Throws `not_found`. */
export async function lockNode(
  tx: Transaction,
  jobId: string,
  taskId: string,
): Promise<{ job: LockedJob; task: LockedTask }> {
  const job = await lockJob(tx, jobId);
  if (!job) throw notFound('Job');
  const task = await lockTask(tx, jobId, { id: taskId });
  if (!task) throw notFound('Task');
  return { job, task };
}

/** Throws 409 STALE_EPOCH or 403 TASK_SECRET_INVALID unless the caller is the session that holds the task. */
export function demandSession(
  task: { epoch: number; secret_hash: string | null },
  caller: Secret & { epoch: number },
): void {
  if (caller.epoch !== task.epoch) throw staleEpoch(task.epoch);
  demandSecret(task, caller);
}

export const staleEpoch = (current: number): DomainError =>
  new DomainError('conflict', `Another session has taken this task over (epoch ${current}); stop this one.`, {
    code: 'STALE_EPOCH',
  });

/** An archived job takes nothing more. */
export function demandUnarchived(job: LockedJob): void {
  if (job.archived_at !== null) throw jobNotActive('The job is archived.');
}

export const jobNotActive = (message: string): DomainError =>
  new DomainError('conflict', message, { code: 'JOB_NOT_ACTIVE' });
