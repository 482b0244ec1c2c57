import type { z } from 'zod';
import type { failRequest, taskOutcome } from '../contract/agent-protocol.ts';
import { act } from '../lifecycle/act.ts';
import { endTask } from '../lifecycle/end-task.ts';
import type { Secret } from '../lifecycle/session.ts';
import type { Context } from '../platform/context.ts';

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
