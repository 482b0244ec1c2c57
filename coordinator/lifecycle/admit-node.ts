import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { changeJobState, changeTaskState, leaseFrom, renewLease } from './change-task.ts';
import { lockJob, lockTask } from './queries/locks.ts';
import type { LockedJob, LockedTask } from './locked-rows.ts';
import { registrationIsOver, settleJob } from './settle-job.ts';
import { jobHasEnded, registrationWindowSeconds, taskHasEnded } from './states.ts';
import { type Node } from './act.ts';
import { jobNotActive, hashOfSecret } from './session.ts';
import { countNode, insertTask, storeSecret, takeTaskOver } from './queries/rows.ts';

interface Joining {
  machine_uuid: string;
  session_id: string;
  agent_version: string;
  hostname?: string | null | undefined;
  launcher?: Record<string, string> | undefined;
}

/** Derives the secret of one session of a task, for that session alone. */
type SecretOf = (tx: Transaction, job: LockedJob, task: { id: string; epoch: number }) => Promise<string>;

/** A machine joins a job, for the first time or again; `registerRequest` in the contract documents each refusal. */
export async function admitNode(
  context: Context,
  jobId: string,
  input: Joining,
  secretOf: SecretOf,
): Promise<Admitted> {
  return context.sql.begin(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job) throw notFound('Job');
    const known = await lockTask(tx, jobId, { machineUuid: input.machine_uuid });
    return known
      ? readmit(context, tx, { job, task: known }, input, secretOf)
      : admit(context, tx, job, input, secretOf);
  });
}

interface Admitted {
  job: LockedJob;
  /** valid for this session only */
  secret: string;
  task: Pick<LockedTask, 'id' | 'epoch'>;
}

async function admit(
  context: Context,
  tx: Transaction,
  job: LockedJob,
  input: Joining,
  secretOf: SecretOf,
): Promise<Admitted> {
  const now = context.now();
  if (jobHasEnded(job.state)) throw jobNotActive(`The job is ${job.state}.`);
  if (job.expires_at <= now) throw jobNotActive('The job has expired.');
  if (job.current_nodes >= job.node_count) {
    throw new DomainError('conflict', `The job already has its ${job.node_count} nodes.`, { code: 'JOB_FULL' });
  }
  if (registrationIsOver(job, now)) {
    throw jobNotActive(
      `Registration closed ${registrationWindowSeconds / 60} minutes after the first node; the job runs with the nodes it has.`,
    );
  }
  const task = { id: context.newId(), epoch: 1 };
  const secret = await secretOf(tx, job, task);
  const row = {
    id: task.id,
    job_id: job.id,
    customer_id: job.customer_id,
    machine_uuid: input.machine_uuid,
    machine_ip: context.client.address,
    hostname: input.hostname ?? null,
    session_id: input.session_id,
    secret_hash: hashOfSecret(secret),
    agent_version: input.agent_version,
    launcher: input.launcher ?? {},
    created_at: now,
  };
  await insertTask(tx, row, leaseFrom(now));
  await countNode(tx, job.id, new Date(now.getTime() + registrationWindowSeconds * 1000));
  const counted = { ...job, current_nodes: job.current_nodes + 1 };
  const started = await changeJobState(tx, counted, { kind: 'node_registered' }, now);
  return { task, secret, job: await settleJob(context, tx, started) };
}

/** A machine that has joined before: the same process again, a new process after the old one's end, or one too many. */
async function readmit(
  context: Context,
  tx: Transaction,
  { job, task }: Node,
  input: Joining,
  secretOf: SecretOf,
): Promise<Admitted> {
  const now = context.now();
  const sameSession = task.session_id === input.session_id.toLowerCase();
  const epoch = sameSession ? task.epoch : task.epoch + 1;
  const secret = await secretOf(tx, job, { id: task.id, epoch });
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
  await renewLease(context, tx, { id: task.id, epoch }, 'waiting');
  await changeTaskState(tx, task, { kind: 'beat', phase: 'waiting' }, { now });
  return { job, secret, task: { id: task.id, epoch } };
}
