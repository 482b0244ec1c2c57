import type { z } from 'zod';
import { leaseTimes, type registerRequest, type registerResponse } from '../contract/agent-protocol.ts';
import { deriveTaskSecret } from '../accounts/derive-task-secret.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { jobOfToken } from '../jobs/caller.ts';
import { changeJobState } from '../lifecycle/change-job-state.ts';
import { lockJob, type LockedJob } from '../lifecycle/queries/jobs.ts';
import { registrationIsOver, settleJob } from '../lifecycle/settle-job.ts';
import { jobHasEnded, registrationWindowSeconds } from '../lifecycle/states/job-state.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import { agentJobOf } from './agent-job.ts';
import { changeTaskState } from '../lifecycle/change-task-state.ts';
import { leaseFrom } from '../lifecycle/leases/lease.ts';
import { jobNotActive } from '../lifecycle/act.ts';
import { hashOfSecret } from '../lifecycle/task-secret.ts';
import {
  countNode,
  insertTask,
  lockTask,
  renewLease,
  storeSecret,
  takeTaskOver,
  type LockedTask,
} from '../lifecycle/queries/tasks.ts';

type Request = z.output<typeof registerRequest>;

/** Joins the job of the token; what each answer and refusal means stands at `registerRequest` in the contract. */
export async function registerNode(context: Context, input: Request): Promise<z.input<typeof registerResponse>> {
  const { jobId } = jobOfToken(context.actor);
  return context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job) throw notFound('Job');
    const known = await lockTask(tx, jobId, { machineUuid: input.machine_uuid });
    const { task, secret, ...after } = known
      ? await readmit(context, tx, job, known, input)
      : await admit(context, tx, job, input);
    context.note({ task_id: task.id });
    return {
      task_id: task.id,
      epoch: task.epoch,
      task_secret: secret,
      heartbeat_seconds: leaseTimes.heartbeat_seconds,
      lease_seconds: leaseTimes.lease_seconds,
      server_time: context.now().toISOString(),
      country: context.client.country,
      job: agentJobOf(after.job),
    };
  });
}

interface Admitted {
  job: LockedJob;
  /** of this session, for it alone */
  secret: string;
  task: Pick<LockedTask, 'id' | 'epoch'>;
}

async function admit(context: Context, tx: Transaction, job: LockedJob, input: Request): Promise<Admitted> {
  const now = context.now();
  if (jobHasEnded(job.state)) throw jobNotActive(`The job is ${job.state}.`);
  if (job.expires_at <= now) throw jobNotActive('The job has expired.');
  if (job.current_nodes >= job.node_count) {
    throw new DomainError('conflict', `The job has its ${job.node_count} nodes.`, { code: 'JOB_FULL' });
  }
  if (registrationIsOver(job, now)) {
    throw jobNotActive(
      `Registration closed ${registrationWindowSeconds / 60} minutes after the first node; the job runs with the nodes it has.`,
    );
  }
  const task = { id: context.newId(), epoch: 1 };
  const secret = await secretOf(context, tx, job, task, input);
  await insertTask(tx, {
    id: task.id,
    jobId: job.id,
    customerId: job.customer_id,
    machineUuid: input.machine_uuid,
    sessionId: input.session_id,
    secretHash: hashOfSecret(secret),
    agentVersion: input.agent_version,
    hostname: input.hostname ?? null,
    machineIp: context.client.address,
    launcher: input.launcher ?? {},
    now,
    leaseExpiresAt: leaseFrom(now),
  });
  await countNode(tx, job.id, new Date(now.getTime() + registrationWindowSeconds * 1000));
  const counted = { ...job, current_nodes: job.current_nodes + 1 };
  const started = await changeJobState(tx, counted, { kind: 'node_registered' }, now);
  return { task, secret, job: await settleJob(context, tx, started) };
}

const secretOf = (
  context: Context,
  tx: Transaction,
  job: LockedJob,
  { id, epoch }: { id: string; epoch: number },
  { session_id }: Request,
): Promise<string> =>
  deriveTaskSecret(context, tx, { jobId: job.id, kid: job.token_kid, taskId: id, epoch, sessionId: session_id });

/** A machine the job knows: the same process again, a new process after the old one's end, or one too many. */
async function readmit(
  context: Context,
  tx: Transaction,
  job: LockedJob,
  task: LockedTask,
  input: Request,
): Promise<Admitted> {
  const now = context.now();
  const sameSession = task.session_id === input.session_id.toLowerCase();
  const epoch = sameSession ? task.epoch : task.epoch + 1;
  const secret = await secretOf(context, tx, job, { id: task.id, epoch }, input);
  const secretHash = hashOfSecret(secret);
  if (sameSession && task.secret_hash === null) await storeSecret(tx, { id: task.id, secretHash });
  if (taskHasEnded(task.state)) {
    if (sameSession) return { job, task, secret };
    throw new DomainError(
      'conflict',
      `This machine has ended its run in this job (${task.state}). Create a job to measure it again.`,
    );
  }
  if (jobHasEnded(job.state) && !sameSession) throw jobNotActive(`The job is ${job.state}.`);
  const leaseLeftMs = task.lease_expires_at.getTime() - now.getTime();
  if (!sameSession && leaseLeftMs > 0 && task.state !== 'lost') {
    throw new DomainError('conflict', 'Another agent is measuring this machine for this job.', {
      code: 'MACHINE_ALREADY_ACTIVE',
      retryAfterSeconds: leaseLeftMs / 1000,
    });
  }
  if (!sameSession) {
    await takeTaskOver(tx, {
      id: task.id,
      epoch,
      sessionId: input.session_id,
      secretHash,
      agentVersion: input.agent_version,
      hostname: input.hostname ?? null,
    });
  }
  await renewLease(tx, { taskId: task.id, epoch, phase: 'waiting', now, expiresAt: leaseFrom(now) });
  await changeTaskState(tx, task, { kind: 'beat', phase: 'waiting' }, { now });
  return { job, secret, task: { id: task.id, epoch } };
}
