import type { z } from 'zod';
import type { failRequest, taskOutcome } from '../../contract/agent-protocol.ts';
import type { Context } from '../../platform/context.ts';
import { jobOfToken } from '../caller.ts';
import { settleJob } from '../ending/settle-job.ts';
import { endTask } from './end-task.ts';
import { demandEpoch, demandUnarchived, lockNode } from './locked-node.ts';

/** Ends the task as failed or, where its operator stopped it, aborted. A task that has ended stays as it is. */
export async function giveUpTask(
  context: Context,
  { task_id, epoch, state, message }: z.output<typeof failRequest>,
): Promise<z.input<typeof taskOutcome>> {
  const { jobId } = jobOfToken(context.actor);
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, task_id);
    demandUnarchived(job);
    demandEpoch(task, epoch);
    const ended = await endTask(context, tx, task, state, message);
    const settled = await settleJob(context, tx, job);
    return { task_state: ended.state, job_state: settled.state };
  });
}
