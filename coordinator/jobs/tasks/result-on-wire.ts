import type { BenchmarkResult } from '../../contract/benchmark-result.ts';
import type { JobState } from '../../contract/agent-protocol.ts';
import type { Context } from '../../platform/context.ts';
import { RawJson } from '../../platform/http/raw-json.ts';
import { benchmarkName, type BenchmarkItem } from '../../lifecycle/benchmarks.ts';
import { jobHasEnded } from '../../lifecycle/states.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import type { ResultRow } from './queries.ts';

export type WireResult = Omit<BenchmarkResult, 'results'> & { results: BenchmarkResult['results'] | RawJson };

/** Row -> wire. The end is called `ended_at` in lists and jobs, `completed_at` in a task's own results. */
async function resultOnWire(
  context: Pick<Context, 'artifacts'>,
  row: ResultRow,
  end: 'ended_at' | 'completed_at',
): Promise<WireResult> {
  const raw = await reportUrl(context, { report_key: row.raw_key, report_file_name: row.raw_file_name });
  return {
    benchmark_id: row.benchmark_id,
    benchmark_name: benchmarkName(row.benchmark_id),
    started_at: row.started_at?.toISOString() ?? null,
    [end]: row.ended_at?.toISOString() ?? null,
    config: row.config ?? {},
    results: row.results === null ? null : new RawJson(row.results),
    state: row.state,
    error_message: row.error_message,
    ...(raw === null ? {} : { raw_details_url: raw }),
  };
}

export async function resultsByBenchmark(
  context: Pick<Context, 'artifacts'>,
  rows: readonly ResultRow[],
  end: 'ended_at' | 'completed_at',
): Promise<Record<string, WireResult>> {
  const results = await Promise.all(rows.map((row) => resultOnWire(context, row, end)));
  return Object.fromEntries(results.map((result) => [result.benchmark_id, result]));
}

/** For answers that look into results: those of one task or the job's own, each a few MiB at most. */
export const parsedResults = (results: Record<string, WireResult>): Record<string, BenchmarkResult> =>
  Object.fromEntries(
    Object.entries(results).map(([id, result]) => [id, { ...result, results: parsed(result.results) }]),
  );

const parsed = (results: WireResult['results']): BenchmarkResult['results'] =>
  results instanceof RawJson ? (JSON.parse(results.text) as Record<string, unknown>) : results;

/** The job's own results; until the job has ended, benchmarks of its sequence without one are pending or running. */
export async function clusterResults(
  context: Pick<Context, 'artifacts'>,
  job: { state: JobState; benchmark_sequence: BenchmarkItem[]; started_at: Date | null },
  rows: readonly ResultRow[],
): Promise<Record<string, WireResult>> {
  const stored = await resultsByBenchmark(context, rows, 'ended_at');
  if (jobHasEnded(job.state)) return stored;
  const state = job.state === 'created' ? 'pending' : 'running';
  const open = job.benchmark_sequence.map(({ benchmark_id, config }): [string, WireResult] => [
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
