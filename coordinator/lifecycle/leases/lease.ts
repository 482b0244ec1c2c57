import { leaseTimes, type AgentPhase } from '../../contract/agent-protocol.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { extendLiveLeases, updateLease } from '../queries/leases.ts';

/** When a lease that is renewed now runs out. */
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + leaseTimes.lease_seconds * 1000);

/** A sign of life of a locked task beside its beats. The phase stays if it is null. */
export async function renewLease(
  { now }: Pick<Context, 'now'>,
  sql: Queryable,
  task: { id: string; epoch: number },
  phase: AgentPhase | null,
): Promise<void> {
  const at = now();
  await updateLease(sql, { taskId: task.id, epoch: task.epoch, phase, now: at, expiresAt: leaseFrom(at) });
}

/** Called once at the start, before the first sweep: a restart of the coordinator loses nobody. Returns how many leases. */
export async function extendLeases(context: Context): Promise<number> {
  return extendLiveLeases(context.sql, leaseFrom(context.now()));
}
