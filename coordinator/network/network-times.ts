import { networkTimes } from '../contract/network-protocol.ts';

/** Times of a run in milliseconds; what they are for stands in README.md. */
export const leaseMs = networkTimes.lease_seconds * 1000;
export const pollMs = networkTimes.poll_seconds * 1000;

/**
 * An epoch is planned this long before the one before it ends, so that it has reached every node in time. No multiple of the
 * usual slots: where a slot ends all nodes report at once, and a plan that is due just then waits behind them.
 */
export const leadMs = 2500;
/** The first start of a plan is at least this far ahead; a node then has a second and a half to hear of it. */
export const leastLeadMs = 1500;
export const epoch = { maxRounds: 8, maxMs: 10_000 } as const;

/** How long a report may take after its plan has ended, where its node is alive. */
export const graceMs = 6000;
/** Between two looks at whether everything that is waited for has come. */
export const recheckMs = 300;

/** Nobody asked for the due plan for this long: the coordinator was away, not the nodes. */
export const awayMs = 5000;

/** The plan of a preflight grows with the nodes, to 80 kB for each of 256: it takes that much longer to be handed out. */
export const preflight = { atOnce: 16, timeoutMs: 1500, marginMs: 2500, perNodeMs: 10 } as const;

/** Nodes that are alive and have not joined yet may be busy with another benchmark; they are waited for, but not forever. */
export const longestJoinMs = 30 * 60_000;
export const joinRecheckMs = 2000;

/** Time that the collective gets, and the least for which it is begun. */
export const collective = { longestMs: 90_000, leastMs: 20_000 } as const;

/** Links measured again alone, as the verdicts choose them, and how often. */
export const retestAttempts = [2, 3] as const;

/** Attempts of the ring check stand apart from those that measure. */
export const ringAttempt = { rdma_gpu: 11, rdma_host: 12, tcp: 13 } as const;

/** How many slots one plan takes, and the time allows. */
export function fitting(deadlineMs: number, startMs: number, slotMs: number): number {
  const wanted = Math.min(epoch.maxRounds, Math.max(1, Math.floor(epoch.maxMs / slotMs)));
  return Math.max(0, Math.min(wanted, Math.floor((deadlineMs - startMs) / slotMs)));
}
