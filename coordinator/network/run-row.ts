import type { CollectiveResult } from '../contract/cluster-network.ts';
import type { NetworkConfig, NetworkTransport } from '../contract/network-config.ts';
import type { NetworkCapabilities, NetworkEndpoint, NetworkPollResponse } from '../contract/network-protocol.ts';

export type RunState = NetworkPollResponse['state'];

/** Every legal transition of a run; the CHECK of network_run.state lists the same states. */
export const runTransitions: Record<RunState, readonly RunState[]> = {
  joining: ['preflight', 'ended'],
  // TCP needs no ring
  preflight: ['ring', 'rounds', 'ended'],
  // to check the next transport
  ring: ['ring', 'rounds', 'ended'],
  rounds: ['retests', 'ended'],
  retests: ['collective', 'ended'],
  collective: ['ended'],
  ended: [],
};

/** The states from which a run may enter this one. */
export const statesBefore = (to: RunState): RunState[] =>
  (Object.keys(runTransitions) as RunState[]).filter((from) => runTransitions[from].includes(to));

export type RunOutcome = 'completed' | 'failed' | 'skipped';

/** Identifies a cluster_network: the job and its item. */
export interface RunKey {
  jobId: string;
  item: number;
}

/** The fields of a run's newest plan that its links do not contain. Times in milliseconds on the database's clock. */
export interface StoredPlan {
  kind: 'preflight' | 'slots' | 'collective';
  starts_at_ms: number;
  ends_at_ms: number;
  /** when it became available */
  made_at_ms: number;
  /** preflight: the participating nodes, and which of them can be dialled */
  seats?: number[];
  listeners?: number[];
  /** preflight: 2 when failed dials are repeated; then also the pairs */
  turn?: 1 | 2;
  pairs?: [number, number][];
  /** remaining retests: link and attempt */
  queue?: [number, number][];
  /** ring: the transport being checked */
  transport?: NetworkTransport;
}

/** The input of the schedule; its rounds are recomputed from this and not stored. */
export interface StoredGraph {
  kind: 'full' | 'degree';
  degree: number | null;
  rounds: number;
  links: number;
  note: string | null;
  /** seats that took no part */
  without: number[];
  slot_seconds: number;
  budget_seconds: number;
}

export interface StoredCollective {
  id: string;
  library: 'nccl' | 'rccl';
  ranks: number;
  /** by node: its first rank and number of devices */
  seats: { node: number; first_rank: number; devices: number }[];
  unique_id: string | null;
  ends_at_ms: number;
  result: CollectiveResult | null;
  message: string | null;
  /** nodes that have reported */
  reported: number[];
}

/** A run; every `_ms` is on the database's clock, and `now_ms` is when the row was read. */
export interface RunRow {
  job_id: string;
  item: number;
  state: RunState;
  config: NetworkConfig | null;
  seed: string;
  secret: Buffer | null;
  sequence: number;
  plan: StoredPlan | null;
  due_ms: number;
  returned_ms: number | null;
  joining_ends_ms: number;
  started_ms: number | null;
  deadline_ms: number | null;
  rounds_started_ms: number | null;
  rounds_ended_ms: number | null;
  next_round: number;
  graph: StoredGraph | null;
  transport: NetworkTransport | null;
  transport_note: string | null;
  collective: StoredCollective | null;
  outcome: RunOutcome | null;
  message: string | null;
  created_ms: number;
  ended_ms: number | null;
  now_ms: number;
  nodes_expected: number;
  nodes_joined: number;
  nodes_lost: number;
}

/** One seat of a run. */
export interface SeatRow {
  node: number;
  task_id: string;
  machine_uuid: string;
  hostname: string | null;
  /** either may follow the other, so there is no table of transitions */
  state: 'joined' | 'lost';
  joined_ms: number;
  lost_ms: number | null;
  seen_ms: number;
  dials: number;
  endpoints: NetworkEndpoint[];
  capabilities: NetworkCapabilities;
}

export const keyOf = ({ jobId, item }: RunKey): string => `${jobId} ${item}`;
export const runKeyOf = (run: Pick<RunRow, 'job_id' | 'item'>): RunKey => ({ jobId: run.job_id, item: run.item });
export const isLive = ({ state }: Pick<SeatRow, 'state'>): boolean => state === 'joined';

type Rdma = Exclude<NetworkTransport, 'tcp'>;

/** RDMA transports that every node claims to support, best first. */
export const candidates = (live: readonly SeatRow[]): Rdma[] =>
  (['rdma_gpu', 'rdma_host'] as const).filter((transport) => live.every((seat) => claims(seat, transport)));

/** Whether a node claims the transport; the ring check verifies it. */
export function claims({ capabilities: { rdma } }: SeatRow, transport: Rdma): boolean {
  if (rdma === null || rdma.devices.length === 0) return false;
  return transport === 'rdma_host' || rdma.gpu_memory;
}
