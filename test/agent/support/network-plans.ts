import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { PlanMaker } from './fake-network.ts';

const KEY = 'ab'.repeat(32);

/** This node's end of a link to node 1, `afterMs` from now. */
export function slotOf(now: number, id: string, afterMs: number, rest: Partial<NetworkSlot> = {}): NetworkSlot {
  return {
    id,
    node: 1,
    role: 'dial',
    is_source: true,
    key: KEY,
    local_address: '10.9.8.7',
    peer_address: '10.9.8.9',
    peer_port: 20_001,
    starts_at_ms: now + afterMs,
    slot_ms: 100,
    transport: 'tcp',
    streams: 1,
    ping_pause_ms: 0,
    nominal_gbps: 1,
    check_only: false,
    ...rest,
  };
}

/** One plan of slots, each 100 ms long, one after the other. */
export const slotsPlan =
  (ids: string[], rest: Partial<NetworkSlot> = {}): PlanMaker =>
  (now) => ({
    plan: {
      kind: 'slots',
      phase: 'rounds',
      ends_at_ms: now + 100 + ids.length * 100,
      listen: ['10.9.8.7'],
      slots: ids.map((id, index) => slotOf(now, id, 100 + index * 100, rest)),
    },
    reports: ids.length,
  });

export const preflightPlan: PlanMaker = (now) => ({
  plan: {
    kind: 'preflight',
    starts_at_ms: now + 50,
    ends_at_ms: now + 1_000,
    at_once: 16,
    timeout_ms: 300,
    dials: [{ id: 'p.0.1', node: 1, key: KEY, addresses: [{ address: '10.9.8.9', port: 20_001 }] }],
    accepts: [{ id: 'p.1.0', node: 1, key: KEY }],
  },
  reports: 1,
});
