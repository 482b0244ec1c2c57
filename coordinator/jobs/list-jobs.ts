import type { JobPage, JobStatsQuery, ListJobsQuery } from '../contract/job.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import { unknownPerformance } from '../lifecycle/performance/compare.ts';
import { type Actor, visibleCustomer } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { invalidQuery } from '../platform/errors.ts';
import { type JobExpansions, jobOnWire, type ListedJobRow } from './job-row.ts';
import { shownToken } from './job-token.ts';
import { decodeCursor, nextCursor } from './listing/cursor.ts';
import { countUnderperforming, jobSortKinds, selectJobPage, selectNodePerformance } from './listing/queries/jobs.ts';
import { distinctTags } from './queries.ts';

/**
 * One page of the caller's jobs. With `cursor` every job that existed when paging began is returned exactly once, whatever
 * is added meanwhile; with `page` the same holds if `created_before` fixes the set (new jobs are later than it). Without
 * `mostCounted` the total is exact, else at most one more than that. `isUrgentFirst`: running jobs, then bad ones, then the
 * newest, in place of the query's order.
 */
export async function listJobs(
  context: Context,
  query: ListJobsQuery,
  { mostCounted, isUrgentFirst = false }: { mostCounted?: number; isUrgentFirst?: boolean } = {},
): Promise<JobPage> {
  if (query.include?.includes('performance_nodes') === true && !query.include.includes('performance')) {
    throw invalidQuery('include', 'performance_nodes requires performance');
  }
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, query, jobSortKinds[query.sort_by]);
  const { total, rows } = await selectJobPage(context.sql, query, {
    customerId: visibleCustomer(context.actor),
    cursor,
    isUrgentFirst,
    ...(mostCounted !== undefined && { mostCounted }),
  });
  const shown = await withNodes(context, rows.slice(0, query.per_page), query);
  const page = cursor?.page ?? query.page;
  const hasNext = rows.length > query.per_page;
  return {
    results: await Promise.all(shown.map((row) => onWire(context, row, query))),
    pagination: {
      total,
      page,
      per_page: query.per_page,
      total_pages: Math.ceil(total / query.per_page),
      has_next: hasNext,
      has_prev: page > 1,
      next_cursor: hasNext ? nextCursor(query, shown.at(-1), page) : null,
    },
  };
}

type ShownJob = ListedJobRow & { truncated?: true };

/** Adds the comparison of the nodes on request, to as many jobs as a page has room for. */
async function withNodes({ sql }: Context, rows: ShownJob[], { include = [] }: ListJobsQuery): Promise<ShownJob[]> {
  if (!include.includes('performance_nodes')) return rows;
  const ids = rows.map((row) => row.id);
  const found = await selectNodePerformance(sql, { ids, mostBytes: sizeCaps.pageExpansionBytes });
  return rows.map((row) =>
    found.has(row.id) ? { ...row, performance_nodes: found.get(row.id) ?? null } : { ...row, truncated: true },
  );
}

const onWire = async (context: Context, row: ShownJob, query: ListJobsQuery): Promise<JobPage['results'][number]> => ({
  ...jobOnWire(row, expansionsOf(row, query), await shownToken(context, row)),
  verdict: row.verdict,
  ...(row.truncated ? { truncated: true } : {}),
});

/** A requested expansion is null only if it was truncated: a job that was not measured has the performance unknown. */
const expansionsOf = (row: ShownJob, { include = [] }: ListJobsQuery): JobExpansions => ({
  ...row,
  performance: include.includes('performance') ? (row.performance ?? unknownPerformance) : null,
  performance_nodes:
    include.includes('performance_nodes') && row.truncated === undefined ? (row.performance_nodes ?? []) : null,
});

/** How many of the caller's matching jobs underperform. The sort parameters are accepted and ignored. */
export async function jobStats(context: Context, query: JobStatsQuery): Promise<{ alert_job_count: number }> {
  return { alert_job_count: await countUnderperforming(context.sql, query, visibleCustomer(context.actor)) };
}

/** Most tags in one answer; if there are more, the first in alphabetical order are shown. */
const MOST_TAGS = 10_000;

/**
 * Unique tags, sorted: of a user's own jobs; of all the customer's jobs for its admins and programs; of all jobs for staff.
 */
export async function jobTags(context: Context): Promise<{ tags: string[] }> {
  const customerId = visibleCustomer(context.actor);
  return { tags: await distinctTags(context.sql, { customerId, createdBy: onlyOwn(context.actor), limit: MOST_TAGS }) };
}

const onlyOwn = (actor: Actor): string | null => (actor.kind === 'user' && actor.role === 'user' ? actor.userId : null);
