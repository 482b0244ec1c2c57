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

/** A session's identification in each call. */
export interface Caller extends Secret {
  task_id: string;
  epoch: number;
  item: number;
}

/**
 * The run and the seat of the calling session, whose token must belong to its task's job. Throws `not_found`, 409
 * STALE_EPOCH for a session that was replaced, 403 TASK_SECRET_INVALID for another node, 409 NOT_JOINED.
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

/**
 * Long poll: the node's part of the newest plan as soon as there is one, or an answer without news after a while.
 * Throws as `callerSeat`.
 */
export async function pollPlan(
  context: Context,
  input: z.output<typeof networkPollRequest> & Secret,
  watch: RunWatch,
): Promise<NetworkPollResponse> {
  const { key, node } = await callerSeat(context, input);
  return watch.poll(key, node, input.have);
}

/** Maximum cells per answer; a reader of a large run requests more with the returned version. */
const MOST_CELLS = 4096;

/** The links whose status was set after `since`, a few of them repeatedly; open to every node of the run. */
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

/** The clock of all plans: the database's, so that all replicas return the same time. */
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
