import type { z } from 'zod';
import { deriveTaskSecret } from '../accounts/derive-task-secret.ts';
import { leaseTimes, type registerRequest, type registerResponse } from '../contract/agent-protocol.ts';
import { admitNode } from '../lifecycle/admit-node.ts';
import { jobOfToken } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { agentJobOf } from './current-job.ts';

/** Joins the job of the token; what each answer and refusal means stands at `registerRequest` in the contract. */
export async function registerNode(
  context: Context,
  input: z.output<typeof registerRequest>,
): Promise<z.input<typeof registerResponse>> {
  const { jobId } = jobOfToken(context.actor);
  const { task, secret, job } = await admitNode(context, jobId, input, (tx, { id, token_kid }, { id: taskId, epoch }) =>
    deriveTaskSecret(context, tx, { jobId: id, kid: token_kid, taskId, epoch, sessionId: input.session_id }),
  );
  context.note({ task_id: task.id });
  return {
    task_id: task.id,
    epoch: task.epoch,
    task_secret: secret,
    heartbeat_seconds: leaseTimes.heartbeat_seconds,
    lease_seconds: leaseTimes.lease_seconds,
    server_time: context.now().toISOString(),
    country: context.client.country,
    job: agentJobOf(job),
  };
}
