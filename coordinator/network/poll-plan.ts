import type { z } from 'zod';
import type { networkPollRequest, NetworkPollResponse } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Secret } from '../lifecycle/session.ts';
import { callerSeat } from './caller-seat.ts';
import type { RunWatch } from './watch/run-watch.ts';

/** The node's part of the newest plan as soon as there is one, else nothing new after a while. Throws as `callerSeat`. */
export async function pollPlan(
  context: Context,
  input: z.output<typeof networkPollRequest> & Secret,
  watch: RunWatch,
): Promise<NetworkPollResponse> {
  const { key, node } = await callerSeat(context, input);
  return watch.poll(key, node, input.have);
}
