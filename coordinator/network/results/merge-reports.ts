import type { LinkMeasurement, LinkStatus } from '../../contract/cluster-network.ts';
import type { LinkRow, SlotReport } from '../queries/links.ts';
import type { Direction, SentSegments } from '../verdict/run-verdict.ts';

/** The merged reports of both ends of an attempt; fields that were not measured are null. */
export interface MergedLink {
  status: LinkStatus;
  stage: string | null;
  code: string | null;
  /** source to target: what the target received */
  forward_gbps: number | null;
  /** target to source: what the source received */
  reverse_gbps: number | null;
  rtt_us: LinkMeasurement['rtt_us'];
  min_rtt_us: number | null;
  retransmits: number | null;
  segments: number | null;
  /** of each direction by its sender; null: unknown */
  sent: Record<Direction, SentSegments | null>;
  bytes: number | null;
  window_ms: number | null;
  mtu: number | null;
  rails: LinkMeasurement['rails'];
  start_skew_ms: number | null;
  started_at: string | null;
  source_if: string | null;
  target_if: string | null;
}

/**
 * If the ends fail differently, the status that names the cause wins: when one end is refused, the other only times
 * out.
 */
const mostTelling: readonly LinkStatus[] = [
  'auth_failed',
  'refused',
  'unreachable',
  'transport_error',
  'closed',
  'timeout',
  'node_lost',
  'no_report',
];

/**
 * One attempt from the reports of its two ends. A direction's bandwidth is what its receiver counted, never the
 * sender's figure. A status already in the row stays; otherwise the status is `ok` only if both ends reported `ok`, and
 * `no_report` if an end did not report: call this only when both have reported or the time for it is over.
 */
export function mergeReports(row: LinkRow): MergedLink {
  const source = row.source_report;
  const target = row.target_report;
  const reports = [source, target].filter((report) => report !== null);
  const outcome = outcomeOf(row);
  // Only the dialer measures round trips.
  const dialer = row.dialer === row.target ? target : source;
  const started = reports.flatMap((report) => report.started_at_ms ?? []);
  const windows = reports.flatMap((report) => report.received?.window_ms ?? []);
  const sent = { forward: sentBy(source), reverse: sentBy(target) };
  return {
    ...outcome,
    forward_gbps: target?.received?.gbps ?? null,
    reverse_gbps: source?.received?.gbps ?? null,
    rtt_us: dialer?.rtt_us ?? source?.rtt_us ?? target?.rtt_us ?? null,
    min_rtt_us: leastOf(reports.flatMap((report) => report.sent?.min_rtt_us ?? [])),
    ...resentOf(reports, sent),
    sent,
    bytes: sumOf(reports.flatMap((report) => report.received?.bytes ?? [])),
    window_ms: windows.length === 0 ? null : (sumOf(windows) ?? 0) / windows.length,
    mtu: leastOf(reports.flatMap((report) => report.mtu ?? [])),
    rails: railsOf(source, target, dialer),
    // The link starts when its later end starts.
    start_skew_ms: mostOf(reports.flatMap((report) => report.start_skew_ms ?? [])),
    started_at: started.length === 0 ? null : new Date(Math.max(...started)).toISOString(),
    source_if: source?.interface ?? null,
    target_if: target?.interface ?? null,
  };
}

function outcomeOf(row: LinkRow): Pick<MergedLink, 'status' | 'stage' | 'code'> {
  const { source_report: source, target_report: target } = row;
  // A report with status ok may lack a figure; its code gives the reason.
  const isWithout = (report: SlotReport): boolean => report.status !== 'ok' || report.received === null;
  const failing = [source, target].flatMap((report) => (report !== null && isWithout(report) ? [report] : []));
  const status = row.status ?? statusOf(source, target, isCheck(row));
  if (status === 'ok') return { status, stage: null, code: null };
  const telling = failing.filter((report) => report.status === status);
  const candidates = telling.length > 0 ? telling : failing;
  // The end that reached the later stage knows more: a listener only waits, while its dialer knows what it sent.
  const furthest = candidates.toSorted((a, b) => stages.indexOf(b.stage ?? '') - stages.indexOf(a.stage ?? ''));
  const witness = furthest.find(({ code }) => code !== null) ?? furthest[0];
  return { status, stage: witness?.stage ?? (status === 'no_report' ? 'report' : null), code: witness?.code ?? null };
}

/** In the order of a slot. */
const stages: readonly string[] = ['connect', 'prove', 'ping', 'forward', 'reverse', 'report'];

/** The preflight and the ring check test connections and do not measure bandwidth. */
const isCheck = ({ phase }: LinkRow): boolean => phase === 'preflight' || phase === 'ring';

function statusOf(source: SlotReport | null, target: SlotReport | null, check: boolean): LinkStatus {
  if (source === null || target === null) return 'no_report';
  const failed = mostTelling.find((status) => source.status === status || target.status === status);
  if (failed !== undefined) return failed;
  // Without a figure for both directions nothing was measured, even if both ends report ok.
  return check || (source.received !== null && target.received !== null) ? 'ok' : 'no_report';
}

/** Over both directions. For a consistent ratio, ends that report only one count are left out, unless no end reports both. */
function resentOf(
  reports: readonly SlotReport[],
  sent: MergedLink['sent'],
): Pick<MergedLink, 'retransmits' | 'segments'> {
  const whole = Object.values(sent).filter((counts) => counts !== null);
  const counts = whole.length > 0 ? whole : reports.flatMap((report) => report.sent ?? []);
  const retransmits = sumOf(counts.flatMap((count) => count.retransmits ?? []));
  const segments = sumOf(counts.flatMap((count) => count.segments ?? []));
  // A ratio of counts from different ends is meaningless.
  return { retransmits, segments: whole.length > 0 || retransmits === null ? segments : null };
}

function sentBy(report: SlotReport | null): SentSegments | null {
  const { retransmits = null, segments = null } = report?.sent ?? {};
  return retransmits === null || segments === null ? null : { retransmits, segments };
}

/** Rails are in the same order at both ends. */
function railsOf(
  source: SlotReport | null,
  target: SlotReport | null,
  dialer: SlotReport | null,
): LinkMeasurement['rails'] {
  const of = (report: SlotReport | null) => report?.rails ?? [];
  return Array.from({ length: Math.max(of(source).length, of(target).length) }, (_, at) => {
    const here = of(source)[at];
    const there = of(target)[at];
    const devices = new Set([here?.device, there?.device].filter((device) => device !== undefined));
    return {
      device: [...devices].join(' – '),
      forward_gbps: there?.received_gbps ?? null,
      reverse_gbps: here?.received_gbps ?? null,
      latency_us: of(dialer)[at]?.latency_us ?? here?.latency_us ?? there?.latency_us ?? null,
    };
  });
}

const sumOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
const leastOf = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
const mostOf = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
