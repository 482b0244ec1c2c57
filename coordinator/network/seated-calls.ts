import type { z } from 'zod';
import type {
  NetworkMatrix,
  networkMatrixRequest,
  networkPollRequest,
  NetworkPollResponse,
  networkSyncRequest,
  networkSyncResponse,
} from '../contract/network-protocol.ts';
import { demandSession, type Secret } from '../lifecycle/session.ts';
import { jobOfToken } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { readClock, findCaller, selectSeats } from './queries/seats.ts';
import { selectMatrix } from './results/queries.ts';
import { nodeName } from './results/network-nodes.ts';
import type { RunKey } from './run-row.ts';
import type { RunWatch } from './watch/run-watch.ts';

/** How a session names itself in each call. */
export interface Caller extends Secret {
  task_id: string;
  epoch: number;
  item: number;
}

/**
 * The run and the seat of the calling session, whose token must be of the job its task is in. Throws `not_found`,
 * 409 STALE_EPOCH for a session that was replaced, 403 TASK_SECRET_INVALID for another node, 409 NOT_JOINED.
 */
export async function callerSeat(context: Context, caller: Caller): Promise<{ key: RunKey; node: number }> {
  const { jobId } = jobOfToken(context.actor);
  const key = { jobId, item: caller.item };
  const found = await findCaller(context.sql, key, caller.task_id);
  if (!found) throw notFound('Task');
  demandSession(found, caller);
  if (found.node === null)
    throw new DomainError('conflict', 'This node has not joined the measurement of links; call join first.', {
      code: 'NOT_JOINED',
    });
  return { key, node: found.node };
}

/** The node's part of the newest plan as soon as there is one, else nothing new after a while. Throws as `callerSeat`. */
export async function pollPlan(
  context: Context,
  input: z.output<typeof networkPollRequest> & Secret,
  watch: RunWatch,
): Promise<NetworkPollResponse> {
  const { key, node } = await callerSeat(context, input);
  return watch.poll(key, node, input.have);
}

/** Cells in one answer; a reader of a large run asks again with the version it was given. */
const MOST_CELLS = 4096;

/** The links whose status has become known after `since`, a few of them again; every node of the run may look. */
export async function readMatrix(
  context: Context,
  input: z.output<typeof networkMatrixRequest> & Secret,
  watch: RunWatch,
): Promise<NetworkMatrix> {
  const { key, node } = await callerSeat(context, input);
  watch.heard(key, node);
  const [{ version, cells }, seats] = await Promise.all([
    selectMatrix(context.sql, key, { since: input.since, limit: MOST_CELLS }),
    selectSeats(context.sql, key),
  ]);
  return {
    version,
    nodes: seats.map((seat) => ({ node: seat.node, name: nodeName(seat), state: seat.state })),
    cells,
  };
}

/** The clock that all plans are in: the database's, so all replicas answer the same. */
export async function syncClock(
  context: Context,
  input: z.output<typeof networkSyncRequest> & Secret,
): Promise<z.input<typeof networkSyncResponse>> {
  const { jobId } = jobOfToken(context.actor);
  const read = await readClock(context.sql, { jobId, taskId: input.task_id });
  if (!read) throw notFound('Task');
  demandSession(read, input);
  return { now_ms: read.now_ms };
}
