import type { LinkStatus, LinkVerdict } from '../../../../coordinator/contract/cluster-network.ts';
import type { NetworkEndpoint } from '../../../../coordinator/contract/network-protocol.ts';
import type { LinkRow, SlotReport } from '../../../../coordinator/network/queries/links.ts';
import type { RunFacts, RunNode } from '../../../../coordinator/network/results/run-input.ts';

/** Rows and reports of a run as agents and coordinator would write them, from a few numbers. */

export function slotReport(given: Partial<SlotReport> = {}): SlotReport {
  return {
    kind: 'slot',
    id: '0.1',
    status: 'ok',
    stage: null,
    code: null,
    started_at_ms: Date.UTC(2026, 10, 21, 12, 0, 0),
    start_skew_ms: 1,
    received: { gbps: 9, bytes: 675_000_000, window_ms: 600 },
    sent: { bytes: 700_000_000, retransmits: 2, segments: 1000, min_rtt_us: 40 },
    rtt_us: null,
    mtu: 1500,
    interface: 'eth0',
    rails: [],
    ...given,
  };
}

export const received = (gbps: number) => ({ gbps, bytes: (gbps * 1e9 * 0.6) / 8, window_ms: 600 });

export const roundTrip = (p50: number) => ({ min: p50 - 2, p50, p99: p50 + 30, max: p50 + 90, samples: 1000 });

/** A pair's number among n, counted through its rows. */
export const pair = (a: number, b: number, n: number): number => (a * (2 * n - a - 1)) / 2 + b - a - 1;

export function linkRow(given: Partial<LinkRow> = {}): LinkRow {
  return {
    link: 0,
    attempt: 1,
    repeated: false,
    phase: 'rounds',
    round: 0,
    source: 0,
    target: 1,
    dialer: 0,
    address: '10.0.0.2',
    port: 4711,
    dialer_address: '10.0.0.1',
    transport: 'tcp',
    streams: 1,
    concurrent_links: 1,
    starts_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 0)),
    slot_ms: 3000,
    status: null,
    source_report: null,
    target_report: null,
    verdict: null,
    expected_forward_gbps: null,
    expected_reverse_gbps: null,
    expected_forward_rates: null,
    expected_reverse_rates: null,
    ...given,
  };
}

export interface MadeLink {
  source: number;
  target: number;
  forward?: number;
  reverse?: number;
  p50?: number;
  status?: LinkStatus;
  verdict?: LinkVerdict;
  attempt?: number;
  round?: number;
}

/** A row of a run of n nodes: measured with these figures, or failed with this status and without any. */
export function madeLink(n: number, made: MadeLink): LinkRow {
  const { source, target, forward = 20, reverse = 20, p50 = 80, status = 'ok', attempt = 1, round = 0 } = made;
  const ok = status === 'ok';
  const failed = slotReport({ status, stage: 'connect', received: null, sent: null });
  return linkRow({
    link: pair(source, target, n),
    attempt,
    phase: attempt === 1 ? 'rounds' : 'retests',
    round: attempt === 1 ? round : null,
    source,
    target,
    dialer: source,
    address: addressOf(target),
    dialer_address: addressOf(source),
    concurrent_links: attempt === 1 ? Math.floor(n / 2) : 1,
    status,
    source_report: ok ? slotReport({ received: received(reverse), rtt_us: roundTrip(p50) }) : failed,
    target_report: ok ? slotReport({ received: received(forward) }) : failed,
    verdict: made.verdict ?? (ok ? 'good' : 'unmeasured'),
    expected_forward_gbps: ok ? 20 : null,
    expected_reverse_gbps: ok ? 20 : null,
    // of either end without this link, where every pair has one
    expected_forward_rates: ok ? n - 2 : null,
    expected_reverse_rates: ok ? n - 2 : null,
  });
}

export const addressOf = (node: number): string => `10.0.${Math.floor(node / 250)}.${(node % 250) + 1}`;

export const endpointOf = (node: number, speed_mbps = 20_000): NetworkEndpoint => ({
  address: addressOf(node),
  port: 20_000,
  interface: 'eth0',
  prefix_length: 24,
  speed_mbps,
  mtu: 1500,
  connection_type: 'ethernet',
});

export const madeNodes = (n: number, given: Partial<RunNode>[] = []): RunNode[] =>
  Array.from({ length: n }, (_, node) => ({
    node,
    task_id: String(1000 + node),
    machine_uuid: `0000${node}-machine`,
    hostname: `node-${node}`,
    state: 'joined' as const,
    endpoints: [endpointOf(node)],
    ...given[node],
  }));

export const runFacts = (given: Partial<RunFacts> = {}): RunFacts => ({
  graph: { kind: 'full', degree: null, rounds: 3, seed: '42' },
  links_planned: null,
  transport: 'tcp',
  transport_note: null,
  nodes_expected: 4,
  slot_seconds: 3,
  started_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 0)),
  ended_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 30)),
  rounds_started_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 5)),
  rounds_ended_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 14)),
  notes: [],
  ...given,
});
