import type { ClusterNetworkResults, CollectiveResult } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { NetworkEndpoint } from '../../contract/network-protocol.ts';
import type { RunJudgement } from '../verdict/run-verdict.ts';
import type { LinkRow } from '../queries/links.ts';
import type { MergedLink } from './merge-reports.ts';

/** One seat of a run, with its task's facts about the machine. */
export interface RunNode {
  node: number;
  task_id: string;
  machine_uuid: string;
  hostname: string | null;
  state: 'joined' | 'lost';
  endpoints: readonly NetworkEndpoint[];
}

/** Facts about a run that has ended, without its nodes and links. */
export interface RunFacts {
  graph: ClusterNetworkResults['graph'];
  /** links of the graph, measured or not; null: count the rows instead */
  links_planned: number | null;
  transport: NetworkTransport;
  transport_note: string | null;
  /** nodes the job was created for */
  nodes_expected: number;
  slot_seconds: number;
  /** when the preflight was planned, or else when the run was created; and when the run ended */
  started_at: Date;
  ended_at: Date;
  rounds_started_at: Date | null;
  rounds_ended_at: Date | null;
  notes: readonly string[];
}

/** Result of the reachability check of all pairs. */
interface ReachJudgement {
  partitions: readonly (readonly number[])[];
  one_way_pairs: readonly { from: number; to: number }[];
  inbound_blocked: readonly number[];
  unreachable: readonly number[];
}

export interface RunInput {
  run: RunFacts;
  /** by seat, from 0, without gaps */
  nodes: readonly RunNode[];
  links: readonly LinkRow[];
  /** null if the rounds never started */
  judgement: Pick<RunJudgement, 'nodes' | 'bad_nodes' | 'bad_links' | 'contended_links' | 'unconfirmed_links'> | null;
  /** null if the run ended before reachability was known */
  reach: ReachJudgement | null;
  collective: CollectiveResult | null;
}

/** A first attempt at a link of the graph, with its two ends' reports. */
export interface FirstAttempt {
  row: LinkRow;
  merged: MergedLink;
}
