import { leaseTimes } from '../../contract/agent-protocol.ts';

/** When a lease that is renewed now runs out. */
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + leaseTimes.lease_seconds * 1000);
