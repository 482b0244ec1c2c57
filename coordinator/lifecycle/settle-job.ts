import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { enqueueWork } from '../platform/work-queue/enqueue-work.ts';
import { jobOutcome } from './states/job-outcome.ts';
import { jobHasEnded } from './states/job-state.ts';
import { closeRuns } from '../network/close-runs.ts';
import { selectEndedRuns } from '../network/queries/runs.ts';
import { changeJobState } from './change-job-state.ts';
import { jobWarnings } from './summary/job-warnings.ts';
import { selectNodeResults, selectNodes, type JobNode, type LockedJob } from './queries/jobs.ts';
import { summariseJob } from './summary/summarise-job.ts';

/**
 * Moves a locked job as far as its nodes allow: to running when all have registered or the window has closed, to its
 * end when all are settled. A job that ended before is summarised anew where `lateResult` says that there is more to
 * tell, and leaves failed by it. What the job's end makes necessary (summary, report) happens in the same transaction.
 */
export async function settleJob(
  context: Context,
  tx: Transaction,
  locked: LockedJob,
  { lateResult }: { lateResult: boolean } = { lateResult: false },
): Promise<LockedJob> {
  const now = context.now();
  if (jobHasEnded(locked.state)) {
    if (!lateResult) return locked;
    const moved = await changeJobState(tx, locked, { kind: 'late_result' }, now);
    await finish(context, tx, moved, await selectNodes(tx, locked.id));
    return moved;
  }
  let job = locked;
  if (job.state === 'starting' && registrationIsOver(job, now)) {
    job = await changeJobState(tx, job, { kind: 'registration_closed' }, now);
  }
  if (job.state !== 'running') return job;
  const nodes = await selectNodes(tx, job.id);
  if (jobOutcome(nodes, 0, now) === null) return job;
  await closeRuns(context, tx, job.id, 'all its nodes had ended');
  const warnings = jobWarnings(job, nodes, {
    runs: await selectEndedRuns(tx, job.id),
    results: await selectNodeResults(tx, job.id),
  });
  const outcome = jobOutcome(nodes, warnings.length, now);
  if (outcome === null) return job;
  job = await changeJobState(tx, job, { kind: 'nodes_settled', outcome }, now);
  await finish(context, tx, job, nodes);
  return job;
}

export const registrationIsOver = (job: LockedJob, now: Date): boolean =>
  job.current_nodes >= job.node_count || (job.registration_closes_at !== null && job.registration_closes_at <= now);

async function finish(context: Context, tx: Transaction, job: LockedJob, nodes: JobNode[]): Promise<void> {
  await summariseJob(context, tx, job, nodes);
  await enqueueWork(tx, context, { kind: 'job_report', subjectId: job.id, customerId: job.customer_id });
}
