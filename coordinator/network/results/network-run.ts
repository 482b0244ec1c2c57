import type { BenchmarkResult } from '../../contract/benchmark-result.ts';
import { networkLimits } from '../../contract/network-config.ts';
import { type BenchmarkItem, benchmarkName } from '../../lifecycle/benchmarks.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { measurementOnWire } from './measurement-on-wire.ts';
import { countLinks, type RunRow, selectCells, selectFirstLinks, selectRuns, selectSeats } from './queries.ts';
import type { RunKey } from '../run-row.ts';

type Reader = Pick<Context, 'sql' | 'config'>;

/**
 * Adds the job's cluster_network to its results, from the tables: the summary, and the measurements that fit inline.
 * Used for job detail and job results. If a job has several cluster_network, the last counts, as for any benchmark.
 * A run that has not ended leaves the results unchanged.
 */
export async function withNetworkRun<R>(
  context: Reader,
  job: { id: string; benchmark_sequence: readonly BenchmarkItem[] },
  results: Record<string, R>,
): Promise<Record<string, R | BenchmarkResult>> {
  const run = await lastRun(context.sql, job);
  if (!run || run.outcome === null) return results;
  return { ...results, [NETWORK]: await resultOfRun(context, job, run) };
}

/** The run of a job's last cluster_network; undefined if there is none, or it has not started. */
async function lastRun(
  sql: Queryable,
  job: { id: string; benchmark_sequence: readonly BenchmarkItem[] },
): Promise<RunRow | undefined> {
  const item = lastNetworkItem(job.benchmark_sequence);
  return item === null ? undefined : (await selectRuns(sql, job.id)).find((run) => run.item === item);
}

export const NETWORK = 'cluster_network';

/** Index of the last cluster_network in a job's sequence; null if there is none. */
export function lastNetworkItem(sequence: readonly BenchmarkItem[]): number | null {
  const item = sequence.findLastIndex(({ benchmark_id }) => benchmark_id === NETWORK);
  return item === -1 ? null : item;
}

async function resultOfRun(
  context: Reader,
  job: { id: string; benchmark_sequence: readonly BenchmarkItem[] },
  run: RunRow,
): Promise<BenchmarkResult> {
  const key: RunKey = { jobId: job.id, item: run.item };
  return {
    benchmark_id: NETWORK,
    benchmark_name: benchmarkName(NETWORK),
    started_at: run.created_at.toISOString(),
    ended_at: run.ended_at?.toISOString() ?? null,
    config: job.benchmark_sequence[run.item]?.config ?? {},
    results: run.summary === null ? null : { ...run.summary, ...(await inlineMeasurements(context, key)) },
    state: run.outcome ?? 'running',
    error_message: run.message,
  };
}

async function inlineMeasurements({ sql, config }: Reader, key: RunKey) {
  const [rows, seats, measurements_total] = await Promise.all([
    selectFirstLinks(sql, key, networkLimits.inlineMeasurements),
    selectSeats(sql, key),
    countLinks(sql, key),
  ]);
  return {
    measurements: rows.map((row) => measurementOnWire(row, seats)),
    measurements_total,
    measurements_url: `${config.publicUrl ?? ''}/api/gpu-mark/v1/jobs/${key.jobId}/network/links?item=${key.item}`,
  };
}

/** The links of the job's last cluster_network, like its result. */
export async function networkFacts(
  { sql }: Pick<Context, 'sql'>,
  job: { id: string; benchmark_sequence: readonly BenchmarkItem[] },
) {
  const run = await lastRun(sql, job);
  if (!run?.summary) return null;
  const { transport } = run.summary;
  return { results: run.summary, links: await selectCells(sql, { jobId: job.id, item: run.item, transport }) };
}
