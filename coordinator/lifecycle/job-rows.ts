import { deleteArtifactsOf } from '../platform/artifacts/queries.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { lockJob } from './queries/locks.ts';
import { clearReports, insertJob, markJobDeleted, setReport, type NewJob } from './queries/rows.ts';

export type { NewJob };

/** The lock of who adds up what machines have run, or deletes it: both delete the same rows. */
export const MACHINE_COUNTS = 'machine runs';

/** Throws `conflict` if the customer has a job of that name that is not deleted. */
export async function addJob(sql: Queryable, job: NewJob): Promise<void> {
  if (await insertJob(sql, job)) return;
  throw new DomainError(
    'conflict',
    `A job named ${JSON.stringify(job.name)} exists already; delete it or choose another name.`,
  );
}

/** Deletes a job that is not under way, with its tasks, files, token and figures. False if it is under way or not there. */
export async function removeJob(tx: Transaction, job: { id: string; customerId: string; now: Date }): Promise<boolean> {
  if (!(await markJobDeleted(tx, job))) return false;
  // Last: a report that is being attached holds the job's row until it is there to be withdrawn.
  await deleteArtifactsOf(tx, { jobId: job.id, now: job.now });
  return true;
}

/** Until the transaction ends the job is not deleted. False if it has been. */
export const holdJob = async (tx: Transaction, id: string): Promise<boolean> => (await lockJob(tx, id)) !== undefined;

/** Puts a rendered report under its job or task; a newer one replaces it. False if the subject has been deleted. */
export const attachReport = (
  sql: Queryable,
  subject: { kind: 'job' | 'task'; id: string; artifactId: string },
): Promise<boolean> => setReport(sql, subject);

/** Jobs and tasks name their reports, and reports their jobs: before either can go, the first lets go. */
export const detachReports = (tx: Transaction, customerId: string): Promise<void> => clearReports(tx, customerId);
