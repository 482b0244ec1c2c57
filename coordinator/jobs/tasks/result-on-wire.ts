import type { BenchmarkResult } from '../../contract/job.ts';
import { benchmarkName, type BenchmarkItem } from '../benchmarks.ts';
import { jobHasEnded } from '../job-state.ts';
import type { ResultRow } from './queries.ts';
import type { JobState } from '../../contract/agent-protocol.ts';

/** Row -> wire. The end stands under `ended_at` in lists and jobs, under `completed_at` in a task's own results. */
export function resultOnWire(row: ResultRow, end: 'ended_at' | 'completed_at'): BenchmarkResult {
  return {
    benchmark_id: row.benchmark_id,
    benchmark_name: benchmarkName(row.benchmark_id),
    started_at: row.started_at?.toISOString() ?? null,
    [end]: row.ended_at?.toISOString() ?? null,
    config: row.config ?? {},
    results: row.results,
    state: row.state,
    error_message: row.error_message,
  };
}

export const resultsByBenchmark = (
  rows: readonly ResultRow[],
  end: 'ended_at' | 'completed_at',
): Record<string, BenchmarkResult> => Object.fromEntries(rows.map((row) => [row.benchmark_id, resultOnWire(row, end)]));

/** The job's own results; until the job has ended, each benchmark of its sequence as pending or running. */
export function clusterResults(
  job: { state: JobState; benchmark_sequence: BenchmarkItem[]; started_at: Date | null },
  rows: readonly ResultRow[],
): Record<string, BenchmarkResult> {
  const stored = resultsByBenchmark(rows, 'ended_at');
  if (jobHasEnded(job.state)) return stored;
  const state = job.state === 'created' ? 'pending' : 'running';
  const open = job.benchmark_sequence.map(({ benchmark_id, config }): [string, BenchmarkResult] => [
    benchmark_id,
    {
      benchmark_id,
      benchmark_name: benchmarkName(benchmark_id),
      started_at: job.started_at?.toISOString() ?? null,
      ended_at: null,
      config: config ?? {},
      results: null,
      state,
      error_message: null,
    },
  ]);
  return { ...Object.fromEntries(open), ...stored };
}
