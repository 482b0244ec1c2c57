import type { z } from 'zod';
import type { failRequest, taskOutcome } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { jobOfToken } from '../jobs/caller.ts';
import { settleJob } from '../lifecycle/settle-job.ts';
import { endTask } from '../lifecycle/end-task.ts';
import { demandSession, demandUnarchived, lockNode } from '../lifecycle/act.ts';
import type { Secret } from '../lifecycle/task-secret.ts';

/** Ends the task as failed or, where its operator stopped it, aborted. A task that has ended stays as it is. */
export async function giveUpTask(
  context: Context,
  input: z.output<typeof failRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { jobId } = jobOfToken(context.actor);
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, input.task_id);
    demandUnarchived(job);
    demandSession(task, input);
    const ended = await endTask(context, tx, task, input.state, input.message);
    const settled = await settleJob(context, tx, job);
    return { task_state: ended.state, job_state: settled.state };
  });
}
