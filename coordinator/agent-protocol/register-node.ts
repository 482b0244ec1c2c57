import type { z } from 'zod';
import { deriveTaskSecret } from '../accounts/signing-key.ts';
import {
  type inventoryRequest,
  leaseTimes,
  type registerRequest,
  type registerResponse,
  type taskOutcome,
} from '../contract/agent-protocol.ts';
import { act } from '../lifecycle/act.ts';
import { admitNode } from '../lifecycle/admit-node.ts';
import { changeTaskState, storeInventory, renewLease } from '../lifecycle/change-task.ts';
import type { Secret } from '../lifecycle/session.ts';
import { taskHasEnded } from '../lifecycle/states.ts';
import { jobOfToken } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { agentJobOf } from './current-job.ts';

/** Joins the job of the token; `registerRequest` in the contract documents each answer and refusal. */
export async function registerNode(
  context: Context,
  input: z.output<typeof registerRequest>,
): Promise<z.input<typeof registerResponse>> {
  const { jobId } = jobOfToken(context.actor);
  const { task, secret, job } = await admitNode(context, jobId, input, (tx, { id, token_kid }, { id: taskId, epoch }) =>
    deriveTaskSecret(context, tx, { jobId: id, kid: token_kid, taskId, epoch, sessionId: input.session_id }),
  );
  context.note({ task_id: task.id });
  const { publicUrl } = context.config;
  return {
    task_id: task.id,
    epoch: task.epoch,
    task_secret: secret,
    heartbeat_seconds: leaseTimes.heartbeat_seconds,
    lease_seconds: leaseTimes.lease_seconds,
    server_time: context.now().toISOString(),
    country: context.client.country,
    ...(publicUrl !== null && { page_url: `${publicUrl}/jobs/${jobId}` }),
    job: agentJobOf(job),
  };
}

/** Stores the inventory of a task's machine; the last one before its end wins. Renews the lease, like a beat. */
export async function deliverInventory(
  context: Context,
  input: z.output<typeof inventoryRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { inventory } = input;
  const { task, job } = await act(context, { session: input, accepts: 'while_unarchived' }, async (tx, { task }) => {
    if (inventory.machine_uuid !== task.machine_uuid)
      throw invalidField('inventory.machine_uuid', 'is not the machine of this task');
    if (taskHasEnded(task.state)) return { task };
    await storeInventory(tx, task.id, inventory);
    await renewLease(context, tx, task, null);
    return { task: await changeTaskState(tx, task, { kind: 'beat', phase: 'inventory' }, { now: context.now() }) };
  });
  return { task_state: task.state, job_state: job.state };
}
