import { z } from 'zod';
import { collectiveResult, linkStatus, networkFigures as figure } from './cluster-network.ts';
import { networkTransport } from './network-config.ts';
import { digitsId, text } from './wire.ts';

/**
 * The part of the agent protocol that measures the links between the nodes of a job, under `/api/gpu-mark/v1/agent/network/`.
 *
 * Order:   join -> sync (8 times, again before each plan) -> poll (one always open) -> report -> ... -> poll says `ended`.
 * Clock:   all `_ms` times are of one clock, the database's, as milliseconds since 1970. `sync` reads it; an agent keeps the
 *          offset of its own monotonic clock from the exchange with the shortest round trip.
 * Plans:   numbered by an increasing `sequence`. Each node gets its whole part before the first start, finishes it even if
 *          the coordinator is away, and polls again after a random pause of up to `networkSpreadMs`, to let others go first.
 * Reports: kept by the agent until acknowledged; sending a report twice changes nothing.
 * Caller:  every call carries the task's epoch and, as X-Task-Secret, its secret; a report covers only the caller's own end.
 * Lease:   any of these calls renews it. A node silent for `lease_seconds` is lost when the next plan is made.
 */
export const networkTimes = { lease_seconds: 15, poll_seconds: 10, sync_count: 8 } as const;
export const networkSpreadMs = (nodes: number): number => Math.min(500, nodes * 4);

const place = z.int().min(0).max(20).meta({ description: 'place of cluster_network in benchmark_sequence, from 0' });
const epoch = z.int().min(1).max(2_147_483_647);
const caller = { task_id: digitsId, epoch, item: place };
const address = text(60, 1);
const port = z.int().min(1).max(65_535);
const node = z.int().min(0).max(255);
/** At most what a JavaScript date can hold. */
const unixMs = z.number().min(0).max(8.64e15);
/** 32 bytes as hex: known to the coordinator and the two ends of one slot. */
const key = z.string().regex(/^[0-9a-f]{64}$/);

const networkEndpoint = z.object({
  address,
  port,
  interface: text(60),
  prefix_length: z.int().min(0).max(128).nullable(),
  speed_mbps: z.number().positive().nullable(),
  mtu: z.int().positive().nullable(),
  connection_type: z.enum(['ethernet', 'infiniband', 'unknown']),
});
export type NetworkEndpoint = z.infer<typeof networkEndpoint>;

/** What a node can use besides TCP. Null if it has no RDMA or was told not to use it. */
export const rdmaCapability = z.object({
  perftest_version: text(60),
  gpu_memory: z.boolean().meta({ description: 'perftest takes GPU memory here, and the driver lends it' }),
  json: z.boolean(),
  devices: z
    .array(
      z.object({
        device: text(60),
        port: z.int(),
        link_layer: z.enum(['InfiniBand', 'Ethernet']),
        rate_gbps: z.number().nullable(),
        gid_index: z.int().nullable(),
        numa_node: z.int().nullable(),
      }),
    )
    .max(32),
});
export const collectiveCapability = z.object({
  library: z.enum(['nccl', 'rccl']),
  version: text(60),
  devices: z.int().min(1).max(64),
  simulated: z.boolean(),
});
const networkCapabilities = z.object({
  congestion_control: text(60).nullable(),
  locked_memory_kib: z.number().nullable(),
  rdma: rdmaCapability.nullable(),
  collective: collectiveCapability.nullable(),
  notes: z.array(text(300)).max(20).meta({ description: 'why something is not there' }),
});
export type NetworkCapabilities = z.infer<typeof networkCapabilities>;

/** `POST join`. Idempotent; a new session of the task takes over its seat. 409 NETWORK_STARTED: too late for a new seat. */
export const networkJoinRequest = z.object({
  ...caller,
  endpoints: z
    .array(networkEndpoint)
    .max(16)
    .meta({ description: 'where it listens, best first; empty: it can only dial' }),
  capabilities: networkCapabilities,
});
export const networkJoinResponse = z.object({ node, lease_seconds: z.number().positive(), poll_seconds: z.number() });

export const networkSyncRequest = z.object({ task_id: digitsId, epoch });
export const networkSyncResponse = z.object({ now_ms: unixMs });

/** One connect-only dial, or the permission to be dialled. `id` is also the wire id of the handshake. */
const preflightDial = z.object({
  id: text(32, 1),
  node,
  key,
  addresses: z.array(z.object({ address, port })).max(16).meta({ description: 'to be tried in this order' }),
});
const preflightAccept = z.object({ id: text(32, 1), node, key });

/** One end of one link in one slot. Both ends get the same values except `role`, `local_address` and the peer's address. */
const networkSlot = z.object({
  id: text(32, 1).meta({ description: 'also the wire id of the handshake' }),
  node: node.meta({ description: 'the other end' }),
  role: z.enum(['dial', 'listen']),
  /** whether this end is the link's source: the first transfer always goes from the dialer to the listener */
  is_source: z.boolean(),
  key,
  local_address: address.nullable(),
  peer_address: address.nullable().meta({ description: 'of the listener; null for the listener itself' }),
  peer_port: port.nullable(),
  starts_at_ms: unixMs,
  slot_ms: z.number().positive(),
  transport: networkTransport,
  streams: z.int().min(1).max(16),
  ping_pause_ms: z.number().nonnegative(),
  nominal_gbps: z.number().positive().nullable().meta({ description: 'slower interface of the two; caps the bytes' }),
  check_only: z.boolean().meta({ description: 'ring check: that the transport works, not how fast' }),
});
export type NetworkSlot = z.infer<typeof networkSlot>;

const collectivePlan = z.object({
  id: text(32, 1),
  library: z.enum(['nccl', 'rccl']),
  /** the node with first_rank 0 makes the library's unique id and reports it; the others get it with the next plan */
  unique_id: z
    .string()
    .regex(/^[0-9a-f]{256}$/)
    .nullable(),
  first_rank: z.int(),
  ranks: z.int(),
  devices: z.int(),
  ends_at_ms: unixMs,
});

const networkPlan = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('preflight'),
    starts_at_ms: unixMs,
    ends_at_ms: unixMs,
    at_once: z.int(),
    timeout_ms: z.int(),
    dials: z.array(preflightDial).max(255),
    accepts: z.array(preflightAccept).max(255),
  }),
  z.object({
    kind: z.literal('slots'),
    phase: z.enum(['ring', 'rounds', 'retests']),
    ends_at_ms: unixMs,
    listen: z.array(address).max(16).meta({ description: 'addresses still needed; the others close' }),
    slots: z.array(networkSlot).max(64),
  }),
  z.object({ kind: z.literal('collective'), collective: collectivePlan }),
]);
export type NetworkPlan = z.infer<typeof networkPlan>;

/** `POST poll`. Answers at once if there is a newer plan than `have`, else within `poll_seconds`. */
export const networkPollRequest = z.object({ ...caller, have: z.int().min(0) });
export const networkPollResponse = z.object({
  sequence: z.int().min(0),
  state: z.enum(['joining', 'preflight', 'ring', 'rounds', 'retests', 'collective', 'ended']),
  now_ms: unixMs,
  plan: networkPlan.nullable().meta({ description: 'null: nothing newer, or nothing for this node in it' }),
  progress: z.object({
    nodes_joined: z.int(),
    nodes_expected: z.int(),
    nodes_lost: z.int(),
    rounds_done: z.int(),
    rounds: z.int().nullable(),
    ends_at_ms: unixMs.nullable().meta({ description: 'when the phase is over, as far as is known' }),
  }),
  ended: z.object({ outcome: z.enum(['completed', 'failed', 'skipped']), message: z.string().nullable() }).nullable(),
});
export type NetworkPollResponse = z.infer<typeof networkPollResponse>;

const received = z.object({ gbps: figure.gbps, bytes: figure.bytes, window_ms: figure.ms });
const sent = z.object({
  bytes: figure.bytes,
  retransmits: z.int().nullable(),
  segments: figure.count.nullable(),
  min_rtt_us: figure.us.nullable(),
});
const failure = { status: linkStatus, stage: text(20).nullable(), code: text(60).nullable() };

export const networkReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dial'),
    id: text(32, 1),
    ...failure,
    address: address.nullable(),
    connect_us: figure.us.nullable(),
  }),
  z.object({
    kind: z.literal('slot'),
    id: text(32, 1),
    ...failure,
    started_at_ms: unixMs.nullable(),
    start_skew_ms: figure.ms.nullable(),
    received: received.nullable().meta({ description: 'what this end received from the other' }),
    sent: sent.nullable(),
    rtt_us: z
      .object({ min: figure.us, p50: figure.us, p99: figure.us, max: figure.us, samples: z.int() })
      .nullable()
      .meta({ description: 'of the dialing end' }),
    mtu: z.int().nullable(),
    interface: text(60).nullable(),
    rails: z
      .array(z.object({ device: text(60), received_gbps: figure.gbps.nullable(), latency_us: figure.us.nullable() }))
      .max(32),
  }),
  z.object({ kind: z.literal('unique_id'), id: text(32, 1), unique_id: z.string().regex(/^[0-9a-f]{256}$/) }),
  z.object({
    kind: z.literal('collective'),
    id: text(32, 1),
    result: collectiveResult.nullable(),
    message: text(500).nullable(),
  }),
]);
export type NetworkReport = z.infer<typeof networkReport>;

/** `POST report`. Every id comes back in one of the two lists; a refused report must not be sent again. */
export const networkReportRequest = z.object({ ...caller, reports: z.array(networkReport).min(1).max(600) });
export const networkReportResponse = z.object({
  acked: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** `POST matrix`: the links measured so far, for a live view; `since` is the last answer's `version`. */
export const networkMatrixRequest = z.object({ ...caller, since: z.int().min(0) });
export const networkMatrixResponse = z.object({
  version: z.int(),
  nodes: z.array(z.object({ node, name: z.string(), state: z.enum(['joined', 'lost']) })),
  cells: z.array(
    z.object({
      source_node: node,
      target_node: node,
      forward_gbps: z.number().nullable(),
      reverse_gbps: z.number().nullable(),
      latency_us: z.number().nullable(),
      status: linkStatus,
    }),
  ),
});
export type NetworkMatrix = z.infer<typeof networkMatrixResponse>;

export const networkPaths = {
  join: '/api/gpu-mark/v1/agent/network/join',
  sync: '/api/gpu-mark/v1/agent/network/sync',
  poll: '/api/gpu-mark/v1/agent/network/poll',
  report: '/api/gpu-mark/v1/agent/network/report',
  matrix: '/api/gpu-mark/v1/agent/network/matrix',
} as const;
