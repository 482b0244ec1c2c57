import type { Context } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { demandSession, type Secret } from '../lifecycle/session.ts';
import { jobOfToken } from '../platform/actor.ts';
import { findCaller } from './queries/seats.ts';
import type { RunKey } from './run-row.ts';

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
