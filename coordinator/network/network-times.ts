import { networkTimes } from '../contract/network-protocol.ts';

/** Times of a run in milliseconds; README.md explains them. */
export const leaseMs = networkTimes.lease_seconds * 1000;
export const pollMs = networkTimes.poll_seconds * 1000;

/**
 * An epoch is planned this long before the previous one ends, so that it reaches every node in time. Not a multiple of
 * the usual slot lengths: when a slot ends all nodes report at once, and a plan due at that moment would wait behind
 * the reports.
 */
export const leadMs = 2500;
/** Minimum time between planning and a plan's first start, for the plan to reach the nodes. */
export const leastLeadMs = 1500;
export const epoch = { maxRounds: 8, maxMs: 10_000 } as const;

/** How late a live node's report may arrive after the end of its plan. */
export const graceMs = 6000;
/** Interval between checks for outstanding reports. */
export const recheckMs = 300;

/** If no node has asked for a due plan for this long, the coordinator was unreachable, not the nodes. */
export const awayMs = 5000;

/** A preflight's plan grows with the number of nodes, to 80 kB for each of 256, and takes longer to deliver. */
export const preflight = { atOnce: 16, timeoutMs: 1500, marginMs: 2500, perNodeMs: 10 } as const;

/**
 * Live nodes that have not joined yet may be running another benchmark; this limits how long the run waits for them.
 */
export const longestJoinMs = 30 * 60_000;
export const joinRecheckMs = 2000;

/** Time limit of the collective, and the minimum time left to start it. */
export const collective = { longestMs: 90_000, leastMs: 20_000 } as const;

/** Attempt numbers of retests alone on the network, for links chosen by the verdicts. */
export const retestAttempts = [2, 3] as const;

/** Attempt numbers of the ring check, distinct from those of measurements. */
export const ringAttempt = { rdma_gpu: 11, rdma_host: 12, tcp: 13 } as const;

/** The number of slots that fit into one plan and into the time left. */
export function fitting(deadlineMs: number, startMs: number, slotMs: number): number {
  const wanted = Math.min(epoch.maxRounds, Math.max(1, Math.floor(epoch.maxMs / slotMs)));
  return Math.max(0, Math.min(wanted, Math.floor((deadlineMs - startMs) / slotMs)));
}
