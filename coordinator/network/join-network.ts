import { isIP } from 'node:net';
import type { z } from 'zod';
import { networkConfig, networkLimits } from '../contract/network-config.ts';
import { networkTimes, type networkJoinRequest, type networkJoinResponse } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError, invalidField } from '../platform/errors.ts';
import { act } from '../lifecycle/act.ts';
import { jobNotActive, type Secret } from '../lifecycle/session.ts';
import { jobOfToken } from '../platform/actor.ts';
import type { LockedJob } from '../lifecycle/locked-rows.ts';
import { jobHasEnded, taskHasEnded } from '../lifecycle/states.ts';
import { insertRun, lockRun, makeDue } from './queries/runs.ts';
import { findCaller, insertSeat, updateSeat } from './queries/seats.ts';
import type { RunKey } from './run-row.ts';
import type { RunWatch } from './watch/run-watch.ts';

const SECRET_BYTES = 32;

/** A decimal seed of 48 bits is short enough to type. */
const SEED_BYTES = 6;

/** A node number is one byte. */
const MOST_NODES = 256;

type Request = z.output<typeof networkJoinRequest> & Secret;

/**
 * Joins the run of this item of the job; the first node creates the run. Idempotent; a new session of the task takes
 * over its seat. Throws 400 if the item is not a cluster_network, 409 NETWORK_STARTED, STALE_EPOCH, JOB_NOT_ACTIVE.
 */
export async function joinNetwork(
  context: Context,
  input: Request,
  watch: RunWatch,
): Promise<z.input<typeof networkJoinResponse>> {
  const { jobId } = jobOfToken(context.actor);
  const key = { jobId, item: input.item };
  const wrong = input.endpoints.findIndex(({ address }) => isIP(address) === 0);
  if (wrong !== -1) throw invalidField(`endpoints[${wrong}].address`, 'is not an IP address');
  const { node } = await act(context, { session: input, accepts: 'while_unarchived' }, async (tx, { job, task }) => {
    const config = configOf(job, input.item);
    const known = await findCaller(tx, key, input.task_id);
    if (known?.node == null) {
      if (jobHasEnded(job.state)) throw jobNotActive(`The job is ${job.state}.`);
      if (taskHasEnded(task.state)) throw jobNotActive(`The task has ended: ${task.state}.`);
    }
    await insertRun(tx, {
      ...key,
      config,
      seed: String(context.randomBytes(SEED_BYTES).readUIntBE(0, SEED_BYTES)),
      secret: context.randomBytes(SECRET_BYTES),
      joinSeconds: config?.join_seconds ?? networkLimits.joinSeconds.default,
    });
    return { node: await assignSeat(tx, key, input, known?.node ?? null) };
  });
  context.note({ task_id: input.task_id, node });
  watch.look(key);
  return { node, lease_seconds: networkTimes.lease_seconds, poll_seconds: networkTimes.poll_seconds };
}

function configOf(job: LockedJob, item: number) {
  const asked = job.benchmark_sequence[item];
  if (asked?.benchmark_id !== 'cluster_network')
    throw invalidField('item', 'is not the index of a cluster_network in this job');
  // Checked when the job was created; a job created before that check existed runs with the defaults.
  return asked.config === null ? null : (networkConfig.safeParse(asked.config).data ?? null);
}

async function assignSeat(tx: Transaction, key: RunKey, input: Request, seat: number | null): Promise<number> {
  const run = await lockRun(tx, key);
  if (!run) throw new Error('the run that was just created is gone');
  const joining = { taskId: input.task_id, endpoints: input.endpoints, capabilities: input.capabilities };
  if (seat !== null) {
    if (run.state !== 'ended') await updateSeat(tx, key, seat, joining);
    return seat;
  }
  if (run.state !== 'joining' || run.nodes_joined >= MOST_NODES)
    throw new DomainError('conflict', 'The links of this job are being measured already, without this node.', {
      code: 'NETWORK_STARTED',
    });
  await insertSeat(tx, key, run.nodes_joined, joining);
  if (run.nodes_joined + 1 >= run.nodes_expected) await makeDue(tx, key);
  return run.nodes_joined;
}
