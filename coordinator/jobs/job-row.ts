import type { JobState } from '../contract/agent-protocol.ts';
import type { Job } from '../contract/job.ts';
import type { RunVerdict } from '../contract/judgement.ts';
import type { Performance } from '../contract/performance.ts';
import type { BenchmarkItem } from '../lifecycle/benchmarks.ts';
import { asJudgedNow } from '../lifecycle/performance/compare.ts';
import type { NodePerformance } from '../lifecycle/performance/scoreboard.ts';

/** A job as the queries return it. */
export interface JobRow {
  id: string;
  customer_id: string;
  name: string;
  description: string;
  state: JobState;
  node_count: number;
  current_nodes: number;
  benchmark_sequence: BenchmarkItem[];
  benchmarks: string[];
  tags: string[];
  token_id: string;
  token_kid: string;
  created_at: Date;
  started_at: Date | null;
  expires_at: Date;
  ended_at: Date | null;
}

/** The parts that the list reads only on request; null in a row that was read without them. */
export interface JobExpansions {
  gpu_models: string[] | null;
  quick_mark_aggregate: Record<string, unknown> | null;
  performance: Performance | null;
  performance_nodes: NodePerformance[] | null;
}

/** A row of a list: of the judgement its verdict, which is all that a list shows. */
export type ListedJobRow = JobRow & JobExpansions & { verdict: RunVerdict | null };

/** Row -> wire. `token` is derived from the row; null for callers who must not see it (job-token.ts). */
export function jobOnWire(row: JobRow, expansions: JobExpansions, token: string | null): Job {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    state: row.state,
    node_count: row.node_count,
    current_nodes: row.current_nodes,
    benchmark_sequence: row.benchmark_sequence,
    benchmarks: row.benchmarks,
    tags: row.tags,
    token,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    gpu_models: expansions.gpu_models,
    quickmark_aggregate_results: expansions.quick_mark_aggregate,
    performance: expansions.performance && asJudgedNow(expansions.performance),
    performance_nodes: expansions.performance_nodes?.map(asJudgedNow) ?? null,
  };
}
