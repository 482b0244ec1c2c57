import type { NetworkPlan } from '../../../coordinator/contract/network-protocol.ts';

/** A plan as it arrived, for measuring how late. */
export interface Arrival {
  sequence: number;
  kind: NetworkPlan['kind'] | 'ended';
  /** when the poll that it answered was sent, and when it arrived: true clock, ms */
  askedAt: number;
  arrivedAt: number;
  /** first start in the plan; null if it has none */
  startsAt: number | null;
  /** begins in the moment in which the plan before it ends */
  follows: boolean;
}
