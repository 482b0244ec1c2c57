import { visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { withDisplayNames } from './display-names.ts';
import { jobFootprint } from './footprint/job-footprint.ts';
import { withNetworkRun } from '../network/results/network-run.ts';
import { findJob } from './queries.ts';
import { selectClusterResults } from './tasks/queries.ts';
import { clusterResults, parsedResults } from './tasks/result-on-wire.ts';

/** The job's own results by benchmark id, with names for people where asked for. Throws `not_found`. */
export async function jobResults(
  context: Context,
  input: { jobId: string; displayNames: boolean },
): Promise<Record<string, Record<string, unknown>>> {
  const job = await findJob(context.sql, { id: input.jobId, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const stored = await clusterResults(context, job, await selectClusterResults(context.sql, job.id));
  const results = parsedResults(await withNetworkRun(context, job, stored));
  const footprint = 'quick_mark' in results ? await jobFootprint(context, job.id) : null;
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => {
      const shown = id === 'quick_mark' ? { ...result, footprint } : { ...result };
      return [id, input.displayNames ? withDisplayNames(shown) : shown];
    }),
  );
}
