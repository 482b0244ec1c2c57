import { z } from 'zod';
import { networkTransport } from './network-config.ts';
import { instant } from './wire.ts';

/**
 * Results of `cluster_network`. Definitions, valid wherever these names appear:
 *
 * - A link is an unordered pair of nodes over one transport. `forward` is from `source` to `target`, `reverse` from `target` to
 *   `source`.
 * - Bandwidth: payload bytes that the RECEIVER counted in the measured window, divided by its length; Gb/s of 1e9 bits.
 * - `avg_bandwidth_gbps`: mean over links with status ok of the mean of both directions. `min_bandwidth_gbps`: the smallest
 *   single direction of such a link.
 * - Latency: half of the median round trip of 64-byte messages before any load, in microseconds (as perftest and sockperf
 *   count). `avg_latency`: its mean over links with status ok.
 * - `total_links_tested`: links with status ok. `node_count`: nodes that joined.
 * - Retests (attempts 2 and 3, each alone on the network) decide verdicts and never enter these figures.
 * - Figures of different transports are never averaged: all of these are for `transport`.
 */
export const linkStatus = z.enum([
  'ok',
  'unreachable',
  'refused',
  'auth_failed',
  'timeout',
  'closed',
  'transport_error',
  'node_lost',
  'no_report',
]);
export type LinkStatus = z.infer<typeof linkStatus>;

export const linkVerdict = z.enum([
  'good',
  'slow',
  'contended',
  'unstable',
  'lossy',
  'unconfirmed',
  'node_blamed',
  'unreachable',
  'unmeasured',
]);
export type LinkVerdict = z.infer<typeof linkVerdict>;

export const attemptDescription =
  '1: in its round; 2 and 3: alone on the network; 11 and 12: check of rdma_gpu and of rdma_host before the rounds';

/** Bounds of what a node reports, an order of magnitude above what is sold: 16 ports of 800 Gb/s, NVLink's 1,800 GB/s. */
export const networkFigures = {
  gbps: z.number().nonnegative().max(200_000),
  gbs: z.number().nonnegative().max(20_000),
  bytes: z
    .number()
    .nonnegative()
    .max(2 ** 60),
  count: z
    .number()
    .nonnegative()
    .max(2 ** 53),
  /** more than a day, to allow for a wrong clock at either end */
  ms: z.number().min(-1e9).max(1e9),
  us: z.number().min(-1e12).max(1e12),
  seconds: z.number().nonnegative().max(1e6),
} as const;

const gbps = z.number().nonnegative().nullable();
const microseconds = z.number().nonnegative().nullable();

export const linkMeasurement = z
  .object({
    link_id: z.int().meta({ description: 'number of the pair within this run' }),
    attempt: z.int().min(1).meta({ description: attemptDescription }),
    phase: z.enum(['preflight', 'ring', 'rounds', 'retests']),
    round: z.int().nullable(),
    source: z.string().meta({ description: 'machine_uuid' }),
    target: z.string().meta({ description: 'machine_uuid' }),
    source_node: z.int().meta({ description: 'number of the node within this run, from 0; see nodes[]' }),
    target_node: z.int(),
    transport: networkTransport,
    connection_type: z.string().nullable().meta({ description: 'ethernet, infiniband, roce or unknown' }),
    dialer: z.string().nullable().meta({ description: 'machine_uuid of the end that opened the connection' }),
    source_if: z.string().nullable(),
    target_if: z.string().nullable(),
    mtu: z.int().nullable(),
    streams: z.int().nullable(),
    forward_gbps: gbps,
    reverse_gbps: gbps,
    bandwidth_gbps: gbps.meta({ description: 'the smaller of both directions' }),
    expected_forward_gbps: gbps.meta({ description: 'what the two ends reach with others' }),
    expected_reverse_gbps: gbps,
    expected_forward_rates: z.int().nullable().meta({
      description: 'rates behind it: of other links, or of nodes if others slowed an end; null in older results too',
    }),
    expected_reverse_rates: z.int().nullable(),
    bytes: z.number().nullable().meta({ description: 'received in both windows together' }),
    window_ms: z.number().nullable().meta({ description: 'length of the measured window of one direction' }),
    latency_us: microseconds.meta({ description: 'half of the median round trip' }),
    rtt_us: z
      .object({ min: z.number(), p50: z.number(), p99: z.number(), max: z.number(), samples: z.int() })
      .nullable(),
    jitter_us: microseconds.meta({ description: 'p99 - p50 of the round trip' }),
    min_rtt_us: microseconds.meta({ description: 'the least round trip the kernel saw under load (TCP_INFO)' }),
    retransmits: z.int().nullable().meta({ description: 'segments sent again, both directions; null: nobody says' }),
    segments: z.number().nullable().meta({ description: 'segments sent, both directions' }),
    concurrent_links: z.int().nullable(),
    rails: z.array(z.object({ device: z.string(), forward_gbps: gbps, reverse_gbps: gbps, latency_us: microseconds })),
    start_skew_ms: z.number().nullable().meta({ description: 'real minus planned start, the later end' }),
    started_at: instant.nullable(),
    status: linkStatus,
    stage: z
      .string()
      .nullable()
      .meta({ description: 'where it stopped: connect, prove, ping, forward, reverse, report' }),
    code: z.string().nullable().meta({ description: 'error of the system or the tool, such as ECONNREFUSED' }),
    verdict: linkVerdict,
  })
  .meta({ id: 'LinkMeasurement' });
export type LinkMeasurement = z.infer<typeof linkMeasurement>;

const networkNode = z.object({
  node: z.int(),
  task_id: z.string(),
  machine_uuid: z.string(),
  name: z.string().meta({ description: 'host name, else the start of machine_uuid' }),
  address: z.string().nullable().meta({ description: 'where most links of it ran' }),
  interface: z.string().nullable(),
  speed_gbps: z.number().nullable().meta({ description: 'nominal speed of that interface' }),
  state: z.enum(['measured', 'lost', 'unreachable']),
  tx_gbps: gbps.meta({ description: 'upper quartile of what others received from it' }),
  rx_gbps: gbps.meta({ description: 'upper quartile of what it received' }),
  latency_us: microseconds.meta({ description: 'median over its links' }),
  links_ok: z.int(),
  links_failed: z.int(),
});
export type NetworkNode = z.infer<typeof networkNode>;

const badNode = z.object({
  node: z.int(),
  machine_uuid: z.string(),
  name: z.string(),
  reason: z.enum(['slow', 'latency', 'failing', 'lost', 'inbound_blocked', 'unreachable']),
  direction: z.enum(['tx', 'rx', 'both']).nullable(),
  factor: z.number().nullable().meta({ description: 'measured over expected; of a latency above 1' }),
  measured: z.number().nullable(),
  expected: z.number().nullable(),
  links: z.int().optional().meta({ description: 'links of its own behind `measured`' }),
  peers: z.int().optional().meta({ description: 'nodes behind `expected`; older results have neither' }),
  unit: z.enum(['Gb/s', 'us', 'links']).nullable(),
  message: z.string(),
});
export type BadNode = z.infer<typeof badNode>;

const badLink = z.object({
  link_id: z.int(),
  source: z.string(),
  target: z.string(),
  source_node: z.int(),
  target_node: z.int(),
  verdict: z.enum(['slow', 'lossy', 'unstable', 'unconfirmed', 'unreachable']),
  direction: z.enum(['forward', 'reverse', 'both']).nullable().meta({ description: 'forward: from source to target' }),
  factor: z
    .number()
    .nullable()
    .meta({ description: 'worse direction, measured over expected, the median of all attempts' }),
  measured_gbps: gbps,
  expected_gbps: gbps,
  expected_rates: z.int().optional().meta({ description: 'rates behind `expected_gbps`; older results have none' }),
  compared_with: z
    .enum(['other_links', 'other_direction'])
    .meta({ description: 'what expected_gbps is from; two nodes have only the other direction of their link' }),
  retransmit_share: z.number().nullable(),
  message: z.string(),
});
export type BadLink = z.infer<typeof badLink>;

const bySize = z.object({
  bytes: networkFigures.bytes,
  seconds: networkFigures.seconds,
  algorithm_gbs: networkFigures.gbs,
  bus_gbs: networkFigures.gbs,
  held_until_enqueued: z.boolean().optional().meta({
    description: 'false: the library waits for the device in its calls, so the pace of the host is in the time',
  }),
});

export const collectiveResult = z.object({
  library: z.enum(['nccl', 'rccl']),
  version: z.string(),
  ranks: z.int(),
  nodes: z.int(),
  all_reduce: z.array(bySize),
  broadcast: z.array(bySize),
  verified: z.boolean(),
  simulated: z.boolean(),
});
export type CollectiveResult = z.infer<typeof collectiveResult>;
const dials = z.array(z.object({ from: z.int(), to: z.int() }));

export const clusterNetworkResults = z
  .object({
    avg_bandwidth_gbps: gbps.meta({ description: 'mean over ok links of the mean of both directions; null: none' }),
    avg_latency: microseconds.meta({
      description: 'microseconds: mean over ok links of half the median round trip of 64-byte messages before load',
    }),
    min_bandwidth_gbps: gbps.meta({ description: 'smallest single direction of an ok link' }),
    total_links_tested: z.int().meta({ description: 'links with status ok; retests never count' }),
    node_count: z.int().meta({ description: 'nodes that joined' }),
    measurements: z.array(linkMeasurement).meta({ description: 'at most 2,100; all of them at measurements_url' }),
    measurements_total: z.int(),
    measurements_url: z.string(),
    links_possible: z.int(),
    links_planned: z.int(),
    links_failed: z.record(z.string(), z.int()).meta({ description: 'links that are not ok, by status' }),
    coverage: z.number().min(0).max(1).meta({ description: 'total_links_tested / links_possible' }),
    graph: z.object({
      kind: z.enum(['full', 'degree']),
      degree: z.int().nullable(),
      rounds: z.int(),
      seed: z.string(),
    }),
    transport: networkTransport,
    transport_note: z.string().nullable().meta({ description: 'why no better transport was taken' }),
    missing_nodes: z.int(),
    nodes: z.array(networkNode),
    bad_nodes: z.array(badNode),
    bad_links: z.array(badLink),
    contended_links: z.array(z.int()).meta({ description: 'link_id: slow together with others, good alone' }),
    unconfirmed_links: z.int(),
    partitions: z
      .array(z.array(z.int()))
      .meta({ description: 'groups of nodes that reach each other; one: all is well' }),
    one_way_pairs: dials.meta({ description: 'dials that work in this direction only' }),
    concurrency: z.int().meta({ description: 'most links at once' }),
    slot_seconds: z.number(),
    duration_s: z.number(),
    rounds_s: z.number().nullable().meta({ description: 'from the first round’s start to the last one’s end' }),
    collective: collectiveResult.nullable(),
    allreduce_bandwidth_gbs: z
      .number()
      .optional()
      .meta({ description: 'bus bandwidth at the largest size; absent where not measured' }),
    broadcast_bandwidth_gbs: z.number().optional(),
    definitions: z.record(z.string(), z.string()),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ClusterNetworkResults' });
export type ClusterNetworkResults = z.infer<typeof clusterNetworkResults>;
