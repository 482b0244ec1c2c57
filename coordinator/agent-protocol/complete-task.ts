import type { z } from 'zod';
import type { completeRequest, taskOutcome } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { isClusterBenchmark } from '../lifecycle/benchmarks.ts';
import { jobOfToken } from '../jobs/caller.ts';
import type { LockedJob } from '../lifecycle/queries/jobs.ts';
import { settleJob } from '../lifecycle/settle-job.ts';
import { jobHasEnded } from '../lifecycle/states/job-state.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import { endTask } from '../lifecycle/end-task.ts';
import { demandSession, demandUnarchived, lockNode } from '../lifecycle/act.ts';
import { selectDelivered } from './queries/results.ts';
import type { Secret } from '../lifecycle/task-secret.ts';
import { addWarnings, type LockedTask } from '../lifecycle/queries/tasks.ts';

/**
 * Ends the task: completed where every benchmark of a node was delivered as completed, else failed with the reason. The
 * job follows in the same transaction. Throws 400 while a benchmark has no result at all, 409 STALE_EPOCH.
 */
export async function completeTask(
  context: Context,
  input: z.output<typeof completeRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { jobId } = jobOfToken(context.actor);
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, input.task_id);
    demandUnarchived(job);
    demandSession(task, input);
    await addWarnings(tx, task.id, input.warnings);
    if (taskHasEnded(task.state)) return { task_state: task.state, job_state: job.state };
    const failure = await failureOf(tx, job, task);
    const ended = await endTask(context, tx, task, failure === null ? 'completed' : 'failed', failure);
    const settled = await settleJob(context, tx, job, {
      lateResult: jobHasEnded(job.state) && ended.state === 'completed',
    });
    return { task_state: ended.state, job_state: settled.state };
  });
}

async function failureOf(tx: Transaction, job: LockedJob, task: LockedTask): Promise<string | null> {
  const delivered = new Map((await selectDelivered(tx, task.id)).map((result) => [result.benchmark_id, result]));
  const expected = job.benchmarks.filter((id) => !isClusterBenchmark(id));
  const missing = expected.filter((id) => !delivered.has(id));
  if (missing.length > 0) throw new DomainError('validation', `No result was delivered for ${missing.join(', ')}.`);
  const unmeasured = expected.flatMap((id) => {
    const result = delivered.get(id);
    return result === undefined || result.state === 'completed'
      ? []
      : [`${id} ${result.state}: ${result.error_message ?? 'no reason given'}`];
  });
  return unmeasured.length === 0 ? null : unmeasured.join('; ').slice(0, 2000);
}
