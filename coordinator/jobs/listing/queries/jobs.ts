import type { Fragment } from 'postgres';
import type { JobStatsQuery, ListJobsQuery } from '../../../contract/job.ts';
import type { Queryable } from '../../../platform/db/client.ts';
import { one } from '../../../platform/db/rows.ts';
import type { JobExpansions, ListedJobRow } from '../../job-row.ts';
import type { Cursor, SortKind } from '../cursor.ts';
import { afterCursor, inOrder, type SortColumn } from './keyset.ts';

export const jobSortKinds: Record<ListJobsQuery['sort_by'], SortKind> = {
  created_at: 'instant',
  started_at: 'instant',
  ended_at: 'instant',
  expires_at: 'instant',
  name: 'text',
  state: 'text',
  node_count: 'integer',
  current_nodes: 'integer',
};

interface JobPageRows {
  total: number;
  rows: ListedJobRow[];
}

/**
 * One page and the total from one snapshot; the total is exact, or one more than `mostCounted` if there are more jobs. Reads one
 * row more than `per_page` to see whether another page follows. Counting, filtering and sorting read the index only; a whole row
 * is read only once it is known to be shown.
 */
export async function selectJobPage(
  sql: Queryable,
  query: ListJobsQuery,
  at: { customerId: string | null; cursor: Cursor | null; mostCounted?: number; isUrgentFirst?: boolean },
): Promise<JobPageRows> {
  const sort = sortColumn(sql, query);
  const isSearch = query.name !== undefined || query.tags !== undefined;
  const isUrgentFirst = at.isUrgentFirst === true && at.cursor === null && !isSearch;
  const order = isUrgentFirst ? sql`order by those.at` : inOrder(sql, sort, query.sort_order, sql`job.id`);
  const rows = await sql<(ListedJobRow & { total: number; id: string | null })[]>`
    with ${isUrgentFirst ? urgentJobs(sql, query, at) : foundJobs(sql, query, { ...at, sort, order })}
    select matching.total, page.*
    from matching
    left join lateral (
      select job.id, customer_id, name, description, state, node_count, current_nodes, benchmark_sequence, benchmarks,
        tags, token_id, token_kid, created_at, started_at, expires_at, ended_at, judgement -> 'verdict' as verdict, ${expansions(sql, query)}
      from those join job on job.id = those.shown
      ${order}
    ) page on true`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

/**
 * `those`, the ids of the page, and `matching`, the total. If the page is the last, the total follows from its rows and nothing
 * is counted. A search for a name or tags costs the most per job, so the jobs it counts are read once and the page is taken from
 * them.
 */
function foundJobs(
  sql: Queryable,
  query: ListJobsQuery,
  of: { customerId: string | null; cursor: Cursor | null; mostCounted?: number; sort: SortColumn; order: Fragment },
): Fragment {
  const { cursor, mostCounted, order } = of;
  const where = jobFilter(sql, query, of.customerId);
  const shown = query.per_page + 1;
  const offset = cursor ? 0 : (query.page - 1) * query.per_page;
  const isSearch = query.name !== undefined || query.tags !== undefined;
  if (isSearch && !cursor && mostCounted !== undefined && offset + query.per_page <= mostCounted)
    return sql`
      found as materialized (
        select job.id as shown, row_number() over (${order}) as place from job where ${where} ${order} limit ${mostCounted + 1}
      ),
      matching as (select count(*)::int as total from found),
      those as (select shown from found where place > ${offset} and place <= ${offset + shown})`;
  const after = cursor ? sql`and ${afterCursor(sql, of.sort, query.sort_order, sql`job.id`, cursor)}` : sql``;
  const most = mostCounted === undefined ? sql`` : sql`limit ${mostCounted + 1}`;
  return sql`
    those as materialized (select job.id as shown from job where ${where} ${after} ${order} limit ${shown} offset ${offset}),
    matching as (
      select case when ${cursor === null} and (select count(*) from those) between ${Math.min(offset, 1)} and ${query.per_page}
        then least(${offset} + (select count(*) from those), ${(mostCounted ?? Infinity) + 1}::float8)
        else (select count(id) from (select id from job where ${where} ${most}) counted) end::int as total
    )`;
}

/** The newest jobs among which running and bad ones come first: a bound on what is read for a page. */
const MOST_RANKED = 1000;

/** Like `foundJobs`, but running jobs first, then bad ones, then the newest; of older jobs all are in order of time. */
function urgentJobs(
  sql: Queryable,
  query: ListJobsQuery,
  { customerId, mostCounted }: { customerId: string | null; mostCounted?: number },
): Fragment {
  const where = jobFilter(sql, query, customerId);
  const offset = (query.page - 1) * query.per_page;
  const shown = query.per_page + 1;
  const most = mostCounted === undefined ? sql`` : sql`limit ${mostCounted + 1}`;
  return sql`
    newest as (
      select job.id, row_number() over (order by created_at desc, job.id desc) as place, state, grade
      from job where ${where} order by created_at desc, job.id desc limit ${Math.max(MOST_RANKED, offset + shown)}
    ),
    ranked as (
      select id as shown, row_number() over (order by case
        when place > ${MOST_RANKED} then 3 when state in ('starting', 'running') then 0 when grade = 'bad' then 1 else 2
        end, place) as at
      from newest
    ),
    those as materialized (select shown, at from ranked where at > ${offset} and at <= ${offset + shown}),
    matching as (select count(id)::int as total from (select id from job where ${where} ${most}) counted)`;
}

/**
 * The comparisons of the nodes of these jobs, the largest part of a page: those of the first jobs that fit into `mostBytes`.
 * The ids come from a page restricted to the customer.
 */
export async function selectNodePerformance(
  sql: Queryable,
  { ids, mostBytes }: { ids: string[]; mostBytes: number },
): Promise<Map<string, JobExpansions['performance_nodes']>> {
  const rows = await sql<{ id: string; performance_nodes: JobExpansions['performance_nodes'] }[]>`
    select id, performance_nodes
    from (
      select job.id, job.performance_nodes,
        sum(coalesce(octet_length(job.performance_nodes::text), 0)) over (order by asked.place) as bytes
      from unnest(${ids}::int8[]) with ordinality as asked (id, place) join job on job.id = asked.id
    ) page
    where bytes <= ${mostBytes}`;
  return new Map(rows.map((row) => [row.id, row.performance_nodes]));
}

/** Jobs whose verdict is underperforming. */
export async function countUnderperforming(
  sql: Queryable,
  query: JobStatsQuery,
  customerId: string | null,
): Promise<number> {
  const filter = { ...query, benchmark_id: query.benchmark_id };
  const row = one(
    await sql<{ count: number }[]>`
    select count(*)::int as count from job
    where ${jobFilter(sql, filter, customerId)} and performance_status = 'underperforming'`,
  );
  return row.count;
}

type JobFilter = Partial<
  Pick<
    ListJobsQuery,
    | 'state'
    | 'name'
    | 'benchmark_id'
    | 'tags'
    | 'created_after'
    | 'created_before'
    | 'node_count_min'
    | 'node_count_max'
    | 'has_performance_data'
    | 'performance_status'
  >
>;

function jobFilter(sql: Queryable, query: JobFilter, customerId: string | null): Fragment {
  const conditions = [sql`deleted_at is null`];
  if (customerId !== null) conditions.push(sql`customer_id = ${customerId}`);
  if (query.state !== undefined) conditions.push(sql`state = ${query.state}`);
  // One operator, like the condition on tags, so that both are evaluated in this order: most names are more selective than most
  // tags, and `position(...) > 0` would come second (24 and 38 ms for 100,000 jobs). Lower-cased once, not for each job.
  if (query.name !== undefined)
    conditions.push(sql`search_name like (select '%' || lower(${escapedForLike(query.name)}::text) || '%')`);
  if (query.benchmark_id !== undefined) conditions.push(sql`${query.benchmark_id} = any(benchmarks)`);
  // A `case`, since of two conditions the planner would evaluate the one on arrays first, which costs ten times as much.
  if (query.tags !== undefined)
    conditions.push(sql`
      case when (select tag_bits(${query.tags}::text[])) & ~search_tags = 0 then tags @> ${query.tags}::text[] else false end`);
  if (query.created_after !== undefined) conditions.push(sql`created_at > ${query.created_after}::timestamptz`);
  if (query.created_before !== undefined) conditions.push(sql`created_at < ${query.created_before}::timestamptz`);
  // As a sum, so that no index is searched for the range: in a prepared statement the planner assumes that any range is small.
  if (query.node_count_min !== undefined) conditions.push(sql`node_count + 0 >= ${query.node_count_min}`);
  if (query.node_count_max !== undefined) conditions.push(sql`node_count + 0 <= ${query.node_count_max}`);
  if (query.has_performance_data === true) conditions.push(sql`performance_status <> 'unknown'`);
  // Null until there is something to compare; answers show that as unknown too.
  if (query.performance_status === 'unknown') conditions.push(sql`coalesce(performance_status, 'unknown') = 'unknown'`);
  else if (query.performance_status !== undefined)
    conditions.push(sql`performance_status = ${query.performance_status}`);
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`);
}

const escapedForLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Only what is requested is read: the jsonb columns are large and stored outside the row. */
function expansions(sql: Queryable, query: ListJobsQuery): Fragment {
  const asked = new Set(query.include);
  const results = query.include_results
    ? sql`gpu_models, quick_mark_aggregate`
    : sql`null::text[] as gpu_models, null::jsonb as quick_mark_aggregate`;
  const performance = asked.has('performance') ? sql`performance` : sql`null::jsonb as performance`;
  return sql`${results}, ${performance}, null::jsonb as performance_nodes`;
}

/**
 * With a filter that no index supports, name, state and node_count are sorted as expressions, so that their indexes are not used:
 * the planner assumes that many jobs match, and would read nearly every whole job in the order of the index even if few do. The
 * index of tags has no room for names: those of the jobs found are looked up.
 */
function sortColumn(sql: Queryable, query: ListJobsQuery): SortColumn {
  const { sort_by: by, name, tags, benchmark_id, has_performance_data: compared, performance_status: status } = query;
  const isSearch = [name, tags, benchmark_id, status].some((one) => one !== undefined) || compared === true;
  const searchedName =
    tags === undefined ? sql`(name || '')` : sql`(select sorted.name from job sorted where sorted.id = job.id)`;
  const columns: Record<typeof by, Fragment> = {
    created_at: sql`created_at`,
    started_at: sql`started_at`,
    ended_at: sql`ended_at`,
    expires_at: sql`expires_at`,
    name: isSearch ? searchedName : sql`name`,
    state: isSearch ? sql`(state || '')` : sql`state`,
    node_count: isSearch ? sql`(node_count + 0)` : sql`node_count`,
    current_nodes: sql`current_nodes`,
  };
  return { column: columns[by], kind: jobSortKinds[by], nullable: by === 'started_at' || by === 'ended_at' };
}
