import { ascending, higherQuantile } from '../../../coordinator/figures/statistics.ts';
import type { NetworkReport, NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { Rail } from './slot-context.ts';
import type { RdmaSetup } from './probe-rdma.ts';
import type { Figure } from './read-figure.ts';
import type { PhaseFigures } from './run-phases.ts';
import { phases } from './talk.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

const CODE_CHARACTERS_MAX = 60;

/** The report of a slot in which nothing was measured, with the reason. */
export function emptyReport(
  slot: NetworkSlot,
  startedMs: number,
  status: SlotReport['status'],
  stage: string,
  code: string,
): SlotReport {
  return {
    kind: 'slot',
    id: slot.id,
    status,
    stage,
    code: code.slice(0, CODE_CHARACTERS_MAX),
    started_at_ms: startedMs,
    start_skew_ms: null,
    received: null,
    sent: null,
    rtt_us: null,
    mtu: null,
    interface: null,
    rails: [],
  };
}

/**
 * The report of one end. Sums are over all rails that both ends have, or null if one of them has no figure: a partial
 * sum would look like a slow link. Rails are listed individually, including those that the other end lacks.
 */
export function reportSlot(
  slot: NetworkSlot,
  startedMs: number,
  rails: readonly Rail[],
  setup: RdmaSetup,
  figures: PhaseFigures,
): SlotReport {
  const isDialer = slot.role === 'dial';
  const [inbound, outbound] = isDialer ? [figures.reverse, figures.forward] : [figures.forward, figures.reverse];
  const received = slot.check_only ? null : sumOf(inbound);
  const sent = slot.check_only ? null : sumOf(outbound);
  const failure = failureOf(rails, figures);
  const reports = [...inbound, ...outbound].flatMap((figure) => (figure.kind === 'none' ? [] : [figure.report]));
  return {
    ...emptyReport(slot, startedMs, failure?.status ?? 'ok', '', ''),
    stage: failure?.stage ?? null,
    code: failure?.code.slice(0, CODE_CHARACTERS_MAX) ?? null,
    received,
    sent: sent === null ? null : { bytes: sent.bytes, retransmits: null, segments: null, min_rtt_us: null },
    rtt_us: isDialer ? roundTrips(figures.ping) : null,
    mtu: reports[0]?.mtu ?? null,
    interface: nameRails(rails),
    rails: setup.capability.devices.map((device) => {
      const place = rails.findIndex((rail) => rail.device === device);
      const inboundFigure = slot.check_only ? undefined : inbound[place];
      const ping = figures.ping[place];
      return {
        device: device.device,
        received_gbps: inboundFigure?.kind === 'bandwidth' ? inboundFigure.report.gbps : null,
        latency_us: ping?.kind === 'latency' ? ping.report.p50_us : null,
      };
    }),
  };
}

function failureOf(
  rails: readonly Rail[],
  figures: PhaseFigures,
): { status: SlotReport['status']; stage: string; code: string } | null {
  for (const stage of phases) {
    for (const [place, figure] of figures[stage].entries()) {
      if (figure.kind !== 'none') continue;
      return { status: figure.status, stage, code: `${rails[place]?.device.device ?? 'rail'}: ${figure.why}` };
    }
  }
  return null;
}

/** The window is bytes over rate, since perftest does not report the duration. */
function sumOf(figures: readonly Figure[]): { gbps: number; bytes: number; window_ms: number } | null {
  const reports = figures.flatMap((figure) => (figure.kind === 'bandwidth' ? [figure.report] : []));
  if (reports.length === 0 || reports.length < figures.length) return null;
  const gbps = reports.reduce((sum, report) => sum + report.gbps, 0);
  const bytes = reports.reduce((sum, report) => sum + report.iterations * report.message_bytes, 0);
  return { gbps, bytes, window_ms: (bytes * 8) / (gbps * 1e6) };
}

/**
 * Round trips are twice the half round trips of ib_write_lat. Over several rails: the smallest minimum, the largest
 * maximum, the largest p99, and the median p50 (the larger of the middle two for an even number).
 */
function roundTrips(pings: readonly Figure[]): SlotReport['rtt_us'] {
  const reports = pings.flatMap((figure) => (figure.kind === 'latency' ? [figure.report] : []));
  const p99 = reports.flatMap(({ p99_us }) => (p99_us === null ? [] : [p99_us]));
  if (reports.length === 0 || reports.length < pings.length || p99.length < reports.length) return null;
  const medians = ascending(reports.map(({ p50_us }) => p50_us));
  return {
    min: 2 * Math.min(...reports.map(({ min_us }) => min_us)),
    p50: 2 * higherQuantile(medians, 0.5),
    p99: 2 * Math.max(...p99),
    max: 2 * Math.max(...reports.map(({ max_us }) => max_us)),
    samples: reports.reduce((sum, { iterations }) => sum + iterations, 0),
  };
}

function nameRails(rails: readonly Rail[]): string | null {
  const first = rails[0]?.device.device;
  if (first === undefined) return null;
  return rails.length === 1 ? first : `${first} +${rails.length - 1}`.slice(0, 60);
}
