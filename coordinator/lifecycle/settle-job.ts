import type { RunFinding } from '../contract/judgement.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { enqueueWork } from '../platform/work-queue/enqueue-work.ts';
import { jobHasEnded, jobOutcome, taskHasEnded } from './states.ts';
import { changeJobState, changeTaskState } from './change-task.ts';
import { endClusterRuns } from './on-job-ending.ts';
import { selectNodes } from './queries/summary.ts';
import type { LockedJob } from './locked-rows.ts';
import { judgeEndedJob, summariseJob } from './summary/summarise-job.ts';
import { lockNodes } from './queries/locks.ts';

/**
 * Moves a locked job as far as its nodes allow: to running when all have registered or the window has closed, to its
 * end when all are settled. A job that has ended already is summarised again if `lateResult` is set, which also moves it
 * out of failed. What the end of the job requires (summary, report) happens in the same transaction.
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
    const runs = await endClusterRuns(context, tx, locked.id, 'the job had ended');
    await finish(context, tx, moved, await judgeEndedJob(tx, moved, await selectNodes(tx, locked.id), runs));
    return moved;
  }
  let job = locked;
  if (job.state === 'starting' && registrationIsOver(job, now)) {
    job = await changeJobState(tx, job, { kind: 'registration_closed' }, now);
  }
  if (job.state !== 'running') return job;
  const nodes = await selectNodes(tx, job.id);
  if (jobOutcome(nodes, 0, now) === null) return job;
  const runs = await endClusterRuns(context, tx, job.id, 'all its nodes had ended');
  const judged = await judgeEndedJob(tx, job, nodes, runs);
  const outcome = jobOutcome(nodes, judged.judgement.findings.filter(changesState).length, now);
  if (outcome === null) return job;
  job = await changeJobState(tx, job, { kind: 'nodes_settled', outcome }, now);
  await finish(context, tx, job, judged);
  return job;
}

/** A job below its reference is `completed` and counted by its alerts (GET .../jobs/stats): its run was clean, its figures are low. */
const changesState = ({ rule }: RunFinding): boolean => rule !== 'below_reference';

export const registrationIsOver = (job: LockedJob, now: Date): boolean =>
  job.current_nodes >= job.node_count || (job.registration_closes_at !== null && job.registration_closes_at <= now);

async function finish(
  context: Context,
  tx: Transaction,
  job: LockedJob,
  judged: Awaited<ReturnType<typeof judgeEndedJob>>,
): Promise<void> {
  await summariseJob(context, tx, job, judged);
  await enqueueWork(tx, context, { kind: 'job_report', subject_id: job.id, customer_id: job.customer_id });
}

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
  await finish(context, tx, aborted, await judgeEndedJob(tx, aborted, nodes, runs));
  return aborted;
}
