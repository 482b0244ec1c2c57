import type { z } from 'zod';
import {
  leaseTimes,
  type heartbeatRequest,
  type heartbeatResponse,
  type JobState,
  type TaskState,
} from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { jobOfToken } from '../platform/actor.ts';
import { moveTask, taskHasEnded } from '../lifecycle/states.ts';
import { renewOrRefuse, type RenewLease } from '../lifecycle/beat-batch.ts';
import { changeTaskState } from '../lifecycle/change-task.ts';
import { act } from '../lifecycle/act.ts';
import { hashOfSecret, type Secret } from '../lifecycle/session.ts';

type Request = z.output<typeof heartbeatRequest> & Secret;
type States = { task_state: TaskState; job_state: JobState };

/**
 * Extends the lease and answers once that is durable. A beat that changes the task's state (a new phase, a lost node that
 * is back) takes a transaction of its own; all others share a statement.
 */
export async function beat(
  context: Context,
  input: Request,
  renewLease: RenewLease,
): Promise<z.input<typeof heartbeatResponse>> {
  const { jobId } = jobOfToken(context.actor);
  const { task_id: taskId, epoch, phase } = input;
  const renewed = await renewOrRefuse(
    context,
    { taskId, jobId, epoch, secretHash: hashOfSecret(input.task_secret), phase, progress: rounded(input.progress) },
    renewLease,
  );
  const changes = moveTask(renewed.task_state, { kind: 'beat', phase }) !== renewed.task_state;
  const states = changes ? await enterPhase(context, input) : renewed;
  return {
    task_state: states.task_state,
    job_state: states.job_state,
    heartbeat_seconds: leaseTimes.heartbeat_seconds,
    lease_seconds: leaseTimes.lease_seconds,
    stop: stopReason(states),
  };
}

/** To a thousandth: more digits than a 32-bit float holds would be refused. */
const rounded = (progress: number | null | undefined): number | null =>
  progress === null || progress === undefined ? null : Math.round(progress * 1000) / 1000;

async function enterPhase(context: Context, session: Request): Promise<States> {
  const { task, job } = await act(context, { session, accepts: 'always' }, async (tx, { task }) => ({
    task: await changeTaskState(tx, task, { kind: 'beat', phase: session.phase }, { now: context.now() }),
  }));
  return { task_state: task.state, job_state: job.state };
}

/** A node continues if its job has ended without it: its late result still counts. It stops if its result would not. */
function stopReason({ task_state, job_state }: States): { reason: string } | null {
  if (job_state === 'aborted') return { reason: 'The job was aborted.' };
  if (taskHasEnded(task_state) && task_state !== 'completed') return { reason: `The task has ended: ${task_state}.` };
  return null;
}
