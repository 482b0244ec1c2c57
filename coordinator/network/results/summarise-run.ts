import { mean, orNull } from '../../figures/statistics.ts';
import type { ClusterNetworkResults, LinkStatus } from '../../contract/cluster-network.ts';
import { mergeReports } from './merge-reports.ts';
import { badLinksOf, badNodesOf } from './name-bad.ts';
import { networkNodes } from './network-nodes.ts';
import type { FirstAttempt, RunInput } from './run-input.ts';

/** A run's result without its rows, which stay in their table and are added when the result is read. */
export type RunSummary = Omit<ClusterNetworkResults, 'measurements' | 'measurements_total' | 'measurements_url'>;

/** Maximum number of listed one-way dials; with a firewall on each of 256 nodes there could be 32,640. */
const MAX_ONE_WAY_PAIRS = 2100;

/** The contract's definitions, sent with every result. */
const definitions = {
  bandwidth: 'payload bytes counted by the receiver in the measured window over its length; Gb/s of 1e9 bits',
  avg_bandwidth_gbps: 'mean over ok links of the mean of both directions',
  min_bandwidth_gbps: 'smallest single direction of an ok link',
  avg_latency: 'microseconds; mean over ok links of half the median round trip of 64-byte messages before load',
  total_links_tested: 'links with status ok; retests never count',
} as const;

/**
 * Computes a run's result as defined by the contract. Only first attempts over the run's transport count; a figure that
 * no link has is null.
 */
export function summariseRun(input: RunInput): RunSummary {
  const { run, nodes, reach } = input;
  const first = firstAttempts(input);
  const ok = first.flatMap(({ merged }) => (merged.status === 'ok' ? [merged] : []));
  const possible = (nodes.length * (nodes.length - 1)) / 2;
  const named = networkNodes(input, first);
  const links = badLinksOf(input, named);
  const oneWay = reach?.one_way_pairs ?? [];
  return {
    avg_bandwidth_gbps: orNull(
      mean(ok.flatMap(({ forward_gbps: f, reverse_gbps: r }) => (f === null || r === null ? [] : (f + r) / 2))),
    ),
    avg_latency: orNull(mean(ok.flatMap(({ rtt_us }) => (rtt_us === null ? [] : rtt_us.p50 / 2)))),
    min_bandwidth_gbps: leastOf(
      ok.flatMap(({ forward_gbps, reverse_gbps }) => [forward_gbps ?? [], reverse_gbps ?? []].flat()),
    ),
    total_links_tested: ok.length,
    node_count: nodes.length,
    links_possible: possible,
    links_planned: run.links_planned ?? first.length,
    links_failed: failuresByStatus(first),
    coverage: possible === 0 ? 0 : ok.length / possible,
    graph: run.graph,
    transport: run.transport,
    transport_note: run.transport_note,
    missing_nodes: Math.max(0, run.nodes_expected - nodes.length),
    nodes: named,
    bad_nodes: badNodesOf(input, named),
    bad_links: links.listed,
    contended_links: [...(input.judgement?.contended_links ?? [])],
    unconfirmed_links: input.judgement?.unconfirmed_links ?? 0,
    partitions: (reach?.partitions ?? []).map((group) => [...group]),
    one_way_pairs: oneWay.slice(0, MAX_ONE_WAY_PAIRS),
    concurrency: first.reduce((most, { row }) => Math.max(most, row.concurrent_links ?? 0), 0),
    slot_seconds: run.slot_seconds,
    duration_s: secondsBetween(run.started_at, run.ended_at),
    rounds_s:
      run.rounds_started_at === null || run.rounds_ended_at === null
        ? null
        : secondsBetween(run.rounds_started_at, run.rounds_ended_at),
    ...collectiveOf(input.collective),
    definitions: { ...definitions },
    notes: [
      ...run.notes,
      ...(links.left_out > 0
        ? [`bad_links lists the ${links.listed.length} worst; ${links.left_out} more are left out.`]
        : []),
      ...(oneWay.length > MAX_ONE_WAY_PAIRS
        ? [`one_way_pairs lists ${MAX_ONE_WAY_PAIRS} of ${oneWay.length} pairs.`]
        : []),
      ...(input.collective?.verified === false
        ? ['The collective operations gave wrong data; their speeds are not stated as results.']
        : []),
    ],
  };
}

/**
 * First attempts at links of the graph over the run's transport: measured in the rounds, or given up by the preflight.
 * A row with neither status nor report was not measured, and is left out.
 */
function firstAttempts({ run, links }: RunInput): FirstAttempt[] {
  return links
    .filter((row) => row.attempt === 1 && row.transport === run.transport)
    .filter(({ phase }) => phase === 'rounds' || phase === 'preflight')
    .filter((row) => row.status !== null || row.source_report !== null || row.target_report !== null)
    .map((row) => ({ row, merged: mergeReports(row) }));
}

function failuresByStatus(first: readonly FirstAttempt[]): Record<string, number> {
  const counts: Partial<Record<LinkStatus, number>> = {};
  for (const { merged } of first) {
    if (merged.status !== 'ok') counts[merged.status] = (counts[merged.status] ?? 0) + 1;
  }
  return counts;
}

/** Bus bandwidth at the largest size, only for operations with correct data. */
function collectiveOf(collective: RunInput['collective']) {
  const largest = (sizes: readonly { bytes: number; bus_gbs: number }[]): number | undefined =>
    collective?.verified === true ? sizes.toSorted((a, b) => b.bytes - a.bytes)[0]?.bus_gbs : undefined;
  const allReduce = largest(collective?.all_reduce ?? []);
  const broadcast = largest(collective?.broadcast ?? []);
  return {
    collective,
    ...(allReduce === undefined ? {} : { allreduce_bandwidth_gbs: allReduce }),
    ...(broadcast === undefined ? {} : { broadcast_bandwidth_gbs: broadcast }),
  };
}

const secondsBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000;

/** Uses reduce, since an argument list of 65,280 values is close to the engines' limit. */
const leastOf = (values: readonly number[]): number | null =>
  values.reduce<number | null>((least, value) => (least === null || value < least ? value : least), null);
