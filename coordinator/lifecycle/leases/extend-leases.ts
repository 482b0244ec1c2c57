import type { Context } from '../../platform/context.ts';
import { leaseFrom } from './lease.ts';
import { extendLiveLeases } from '../queries/leases.ts';

/** Called once at the start, before the first sweep: a restart of the coordinator loses nobody. Returns how many leases. */
export async function extendLeases(context: Context): Promise<number> {
  return extendLiveLeases(context.sql, leaseFrom(context.now()));
}
