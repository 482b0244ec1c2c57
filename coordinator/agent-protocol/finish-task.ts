import type { z } from 'zod';
import type { completeRequest, failRequest, taskOutcome } from '../contract/agent-protocol.ts';
import { act } from '../lifecycle/act.ts';
import { addWarnings } from '../lifecycle/change-task.ts';
import { deliveryOf, endTask } from '../lifecycle/end-task.ts';
import type { LockedJob, LockedTask } from '../lifecycle/locked-rows.ts';
import type { Secret } from '../lifecycle/session.ts';
import { jobHasEnded, taskHasEnded } from '../lifecycle/states.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';

/**
 * Ends the task: completed if every benchmark of a node was delivered as completed, else failed with the reason. The
 * job is settled in the same transaction. Throws 400 while a benchmark has no result at all, 409 STALE_EPOCH.
 */
export async function completeTask(
  context: Context,
  input: z.output<typeof completeRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { task, job } = await act(
    context,
    { session: input, accepts: 'while_unarchived' },
    async (tx, { job, task }) => {
      await addWarnings(tx, task.id, input.warnings);
      if (taskHasEnded(task.state)) return { task };
      const failure = await failureOf(tx, job, task);
      const ended = await endTask(context, tx, task, failure === null ? 'completed' : 'failed', failure);
      return { task: ended, settle: { lateResult: jobHasEnded(job.state) && ended.state === 'completed' } };
    },
  );
  return { task_state: task.state, job_state: job.state };
}

async function failureOf(tx: Transaction, job: LockedJob, task: LockedTask): Promise<string | null> {
  const { missing, unmeasured } = await deliveryOf(tx, job, task);
  if (missing.length > 0) throw new DomainError('validation', `No result was delivered for ${missing.join(', ')}.`);
  if (unmeasured.length === 0) return null;
  return unmeasured
    .map((result) => `${result.benchmark_id} ${result.state}: ${result.error_message ?? 'no reason given'}`)
    .join('; ')
    .slice(0, 2000);
}

/** Ends the task as failed or, if its operator stopped it, aborted. A task that has ended stays as it is. */
export async function giveUpTask(
  context: Context,
  input: z.output<typeof failRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { task, job } = await act(context, { session: input, accepts: 'while_unarchived' }, async (tx, { task }) => ({
    task: await endTask(context, tx, task, input.state, input.message),
    settle: { lateResult: false },
  }));
  return { task_state: task.state, job_state: job.state };
}
