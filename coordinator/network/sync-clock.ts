import type { z } from 'zod';
import type { networkSyncRequest, networkSyncResponse } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { demandSession, type Secret } from '../lifecycle/session.ts';
import { jobOfToken } from '../platform/actor.ts';
import { readClock } from './queries/clock.ts';

/** The clock that all plans are in: the database's, the same whichever replica is asked. */
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
