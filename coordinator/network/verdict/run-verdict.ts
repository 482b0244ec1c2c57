import type { BadLink, BadNode, LinkStatus, LinkVerdict } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';

/** Forward is from source to target. */
export const directions = ['forward', 'reverse'] as const;
export type Direction = (typeof directions)[number];

/** One attempt at a link: 1 in its round, 2 and 3 alone on the network. */
export interface JudgedAttempt {
  attempt: number;
  status: LinkStatus;
  forward_gbps: number | null;
  reverse_gbps: number | null;
  rtt_us: { min: number; p50: number; p99: number; max: number; samples: number } | null;
  min_rtt_us: number | null;
  /** of both directions; null: unknown */
  retransmits: number | null;
  segments: number | null;
  /** of each direction by its sender; null or absent: unknown */
  sent?: Record<Direction, SentSegments | null>;
}

/** Segments that one end sent, and how many it retransmitted. */
export interface SentSegments {
  retransmits: number;
  segments: number;
}

/** A link of the graph; without attempts if it was never measured. */
export interface JudgedLink {
  link: number;
  source: number;
  target: number;
  /** of its first attempt; null if it was in no round */
  round: number | null;
  attempts: readonly JudgedAttempt[];
}

export interface JudgedNode {
  node: number;
  /** nominal; null: unknown */
  speed_gbps: number | null;
  state: 'measured' | 'lost' | 'unreachable';
}

export interface RunToJudge {
  /** by seat, from 0, without gaps */
  nodes: readonly JudgedNode[];
  /** of one transport */
  links: readonly JudgedLink[];
  transport: NetworkTransport;
}

export interface NodeFigures {
  tx_gbps: number | null;
  rx_gbps: number | null;
  latency_us: number | null;
  links_ok: number;
  links_failed: number;
}

export type BlamedNode = Omit<BadNode, 'machine_uuid' | 'name' | 'message'>;

export interface BlamedLink {
  link: number;
  verdict: BadLink['verdict'];
  direction: BadLink['direction'];
  /** of that direction, or of the worse one: measured over expected, the median of all attempts */
  factor: number | null;
  measured_gbps: number | null;
  expected_gbps: number | null;
  /** number of rates that `expected_gbps` is derived from; absent without it */
  expected_rates?: number;
  compared_with: BadLink['compared_with'];
  /** of all attempts together */
  retransmit_share: number | null;
}

interface LinkJudgement {
  verdict: LinkVerdict;
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
  /** number of rates that the expected rate of that direction is derived from */
  expected_forward_rates: number | null;
  expected_reverse_rates: number | null;
}

export interface RunJudgement {
  /** by seat */
  nodes: NodeFigures[];
  /** one entry per node, with its worst fault */
  bad_nodes: BlamedNode[];
  /** worst first */
  bad_links: BlamedLink[];
  /** slow or lossy in their round, good alone twice */
  contended_links: number[];
  /** suspects that were not measured alone twice */
  unconfirmed_links: number;
  links: Map<number, LinkJudgement>;
  /** links to be measured alone, twice each, worst first */
  retests: number[];
}
