import type { BenchmarkItem } from '../../lifecycle/benchmarks.ts';
import type { Context } from '../../platform/context.ts';
import { lastRun } from './network-run.ts';
import { selectCells } from './queries.ts';

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
