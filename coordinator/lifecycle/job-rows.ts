import { deleteArtifactsOf } from '../platform/artifacts/queries.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { lockJob } from './queries/locks.ts';
import { clearReports, insertJob, markJobDeleted, setReport, type NewJob } from './queries/rows.ts';

export type { NewJob };

/** The lock for adding up the runs of machines and for deleting them: both delete the same rows. */
export const MACHINE_COUNTS = 'machine runs';

/** Throws `conflict` if the customer has a job of that name that is not deleted. */
export async function addJob(sql: Queryable, job: NewJob): Promise<void> {
  if (await insertJob(sql, job)) return;
  throw new DomainError(
    'conflict',
    `A job named ${JSON.stringify(job.name)} exists already; delete it or choose another name.`,
  );
}

/** Deletes a job that is not under way, with its tasks, files, token and figures. False if it is under way or does not exist. */
export async function removeJob(tx: Transaction, job: { id: string; customerId: string; now: Date }): Promise<boolean> {
  if (!(await markJobDeleted(tx, job))) return false;
  // Last: attaching a report locks the job's row, so by now any such report is complete and its file is found.
  await deleteArtifactsOf(tx, { jobId: job.id, now: job.now });
  return true;
}

/** Keeps the job from being deleted until the transaction ends. False if it has been deleted. */
export const holdJob = async (tx: Transaction, id: string): Promise<boolean> => (await lockJob(tx, id)) !== undefined;

/** Attaches a rendered report to its job or task; a newer one replaces it. False if the subject has been deleted. */
export const attachReport = (
  sql: Queryable,
  subject: { kind: 'job' | 'task'; id: string; artifactId: string },
): Promise<boolean> => setReport(sql, subject);

/** Jobs and tasks refer to their reports, and reports to their jobs: clears the former, so that the rows can be deleted. */
export const detachReports = (tx: Transaction, customerId: string): Promise<void> => clearReports(tx, customerId);
