import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import {
  leaseTimes,
  type heartbeatRequest,
  type heartbeatResponse,
  type JobState,
  type TaskState,
} from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { jobOfToken } from '../jobs/caller.ts';
import { moveTask, taskHasEnded } from '../lifecycle/states/task-state.ts';
import type { RenewLease } from '../lifecycle/leases/beat-batch.ts';
import { changeTaskState } from '../lifecycle/change-task-state.ts';
import { demandSession, lockNode, staleEpoch } from '../lifecycle/act.ts';
import { findHolder, type BeatRow, type RenewedRow } from '../lifecycle/queries/leases.ts';
import { hashOfSecret, isHash, wrongSecret, type Secret } from '../lifecycle/task-secret.ts';

type Request = z.output<typeof heartbeatRequest> & Secret;
type States = { task_state: TaskState; job_state: JobState };

/**
 * Extends the lease; answered when that is durable. A beat that changes the task's state (a new phase, a lost node that
 * is back) takes a transaction of its own, all others share a statement.
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
  const states = changes ? await enterPhase(context, jobId, input) : renewed;
  return {
    task_state: states.task_state,
    job_state: states.job_state,
    heartbeat_seconds: leaseTimes.heartbeat_seconds,
    lease_seconds: leaseTimes.lease_seconds,
    stop: stopReason(states),
  };
}

/** Another call of the node holds its lease for the length of a transaction; the beat comes back this often and long. */
const TRIES = 20;
const PAUSE_MS = 100;

async function renewOrRefuse(context: Context, row: BeatRow, renewLease: RenewLease): Promise<RenewedRow> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await delay(PAUSE_MS);
    const renewing = renewLease(row);
    if (renewing === null) break;
    const renewed = await renewing;
    if (renewed) return renewed;
    const holder = await findHolder(context.sql, { id: row.taskId, jobId: row.jobId });
    if (holder === undefined) throw notFound('Task');
    if (holder.epoch !== row.epoch) throw staleEpoch(holder.epoch);
    if (!isHash(holder.secret_hash, row.secretHash)) throw wrongSecret();
  }
  throw new DomainError('unavailable', 'The beat could not be written in time.', { retryAfterSeconds: 1 });
}

/** To a thousandth: more digits than a float of 32 bits holds would be refused. */
const rounded = (progress: number | null | undefined): number | null =>
  progress === null || progress === undefined ? null : Math.round(progress * 1000) / 1000;

async function enterPhase(context: Context, jobId: string, input: Request): Promise<States> {
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, input.task_id);
    demandSession(task, input);
    const moved = await changeTaskState(tx, task, { kind: 'beat', phase: input.phase }, { now: context.now() });
    return { task_state: moved.state, job_state: job.state };
  });
}

/** A node goes on when its job has ended without it: its late result still counts. It stops where nothing would. */
function stopReason({ task_state, job_state }: States): { reason: string } | null {
  if (job_state === 'aborted') return { reason: 'The job was aborted.' };
  if (taskHasEnded(task_state) && task_state !== 'completed') return { reason: `The task has ended: ${task_state}.` };
  return null;
}
