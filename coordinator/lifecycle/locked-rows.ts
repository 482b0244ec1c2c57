import type { JobState, TaskState } from '../contract/agent-protocol.ts';
import type { BenchmarkItem } from './benchmarks.ts';

export interface LockedJob {
  id: string;
  customer_id: string;
  name: string;
  state: JobState;
  node_count: number;
  current_nodes: number;
  benchmark_sequence: BenchmarkItem[];
  benchmarks: string[];
  registration_closes_at: Date | null;
  started_at: Date | null;
  expires_at: Date;
  archived_at: Date | null;
  /** the id of the key that signs its token */
  token_kid: string;
}

/** A task and its lease, locked for the rest of the transaction. The job is locked first (queries/locks.ts). */
export interface LockedTask {
  id: string;
  job_id: string;
  customer_id: string;
  machine_uuid: string;
  session_id: string;
  state: TaskState;
  epoch: number;
  /** of the session that holds the task; null if it registered with a version without secrets */
  secret_hash: string | null;
  simulated: boolean;
  lease_expires_at: Date;
}
