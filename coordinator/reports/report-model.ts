import type { BenchmarkState, JobState, TaskState } from '../contract/agent-protocol.ts';
import type { ClusterNetworkResults, LinkStatus, LinkVerdict } from '../contract/cluster-network.ts';
import type { Site } from '../jobs/footprint/site-of.ts';
import type { MachineInventory } from '../contract/inventory.ts';
import type { JobDetail } from '../contract/job.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Performance } from '../contract/performance.ts';

/**
 * Everything a report says, as plain data (it crosses to a worker thread). The jobs area fills it; the renderer adds
 * nothing but layout, so equal data gives equal bytes. Instants are ISO 8601 UTC.
 */
export type Report = TaskReport | JobReport;

export interface TaskReport {
  kind: 'task';
  customer: ReportCustomer;
  job: ReportJob;
  node: ReportNode;
}

export interface JobReport {
  kind: 'job';
  customer: ReportCustomer;
  job: ReportJob;
  /** job-level warnings: fewer nodes than expected, late results */
  warnings: string[];
  /** one per registered machine, in order of registration; at most 256 */
  nodes: ReportNode[];
  /** the job's own (cluster-level) results, e.g. cluster_network */
  results: ReportResult[];
  /** the links between its nodes; null if none were measured */
  network: ReportNetwork | null;
  performance: Performance | null;
  /** null if no node came */
  judgement: Judgement | null;
  scoreboard: JobDetail['scoreboard_summary'];
}

interface ReportCustomer {
  id: string;
  name: string;
}

export interface ReportJob {
  id: string;
  name: string;
  description: string;
  state: JobState;
  tags: string[];
  benchmarks: string[];
  nodeCount: number;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** One machine of a job: the task row, its inventory and the newest result of each benchmark. */
export interface ReportNode {
  taskId: string;
  machineUuid: string;
  hostname: string | null;
  machineIp: string | null;
  state: TaskState;
  failedMessage: string | null;
  warnings: string[];
  judgement: Judgement;
  simulated: boolean;
  agentVersion: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  inventory: MachineInventory | null;
  results: ReportResult[];
  /** null if nothing was compared */
  performance: Performance | null;
  /** published data on its location and its product */
  site: Site;
}

export interface ReportResult {
  benchmarkId: string;
  benchmarkName: string;
  attempt: number;
  state: BenchmarkState;
  startedAt: string | null;
  endedAt: string | null;
  receivedAt: string;
  /** arrived after the task had been lost or the job had ended */
  late: boolean;
  errorMessage: string | null;
  /** content key of contract/result-key.ts; the keys of a report make its result-set hash */
  resultKey: string;
  config: Record<string, unknown> | null;
  /** as stored: for quick_mark the contract's QuickMarkResults */
  results: Record<string, unknown> | null;
}

/** A cluster_network run: its result, and one entry for each link of its graph. */
export interface ReportNetwork {
  results: Omit<ClusterNetworkResults, 'measurements' | 'measurements_total' | 'measurements_url'>;
  links: ReportLink[];
}

/** The first attempt at a link. Forward is from source to target; latency is half a round trip. */
export interface ReportLink {
  link: number;
  source: number;
  target: number;
  forward_gbps: number | null;
  reverse_gbps: number | null;
  latency_us: number | null;
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
  /** number of rates from which that direction's expected rate is derived; null: not counted */
  expected_forward_rates: number | null;
  expected_reverse_rates: number | null;
  status: LinkStatus;
  verdict: LinkVerdict;
}
