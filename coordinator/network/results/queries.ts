import type { Fragment } from 'postgres';
import type { LinkStatus, LinkVerdict } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { NetworkEndpoint, NetworkMatrix } from '../../contract/network-protocol.ts';
import type { ListLinksQuery } from '../../contract/network-link-routes.ts';
import type { BenchmarkItem } from '../../lifecycle/benchmarks.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { RunKey } from '../run-row.ts';
import { linkColumns, type LinkRow } from '../queries/links.ts';
import type { RunSummary } from './summarise-run.ts';

export interface RunRow {
  item: number;
  outcome: 'completed' | 'failed' | 'skipped' | null;
  message: string | null;
  summary: RunSummary | null;
  created_at: Date;
  ended_at: Date | null;
}

// The caller must have checked that the job belongs to the customer.

/** The runs of a job by their place in its sequence. */
export async function selectRuns(sql: Queryable, jobId: string): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select item, outcome, message, summary, created_at, ended_at
    from network_run where job_id = ${jobId} order by item`;
}

export interface SeatRow {
  node: number;
  machine_uuid: string;
  hostname: string | null;
  endpoints: NetworkEndpoint[];
  rdma_layers: Record<string, string>;
}

/** The nodes of a run by seat. */
export async function selectSeats(sql: Queryable, { jobId, item }: RunKey): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select node.node, task.machine_uuid, task.hostname, node.endpoints,
      coalesce((
        select jsonb_object_agg(device ->> 'device', device ->> 'link_layer')
        from jsonb_array_elements(case when jsonb_typeof(node.capabilities -> 'rdma' -> 'devices') = 'array'
          then node.capabilities -> 'rdma' -> 'devices' else '[]' end) device
        where device ->> 'device' is not null
      ), '{}') as rdma_layers
    from network_node node join task on task.id = node.task_id
    where node.job_id = ${jobId} and node.item = ${item} order by node.node`;
}

/** Selects attempts; those without a status yet are left out. */
interface LinkFilter {
  attempt?: number | undefined;
  status?: LinkStatus | undefined;
  verdict?: LinkVerdict | undefined;
  /** at either end */
  node?: number | undefined;
}

export async function countLinks(sql: Queryable, run: RunKey, filter: LinkFilter = {}): Promise<number> {
  const row = one(
    await sql<{ total: number }[]>`
    select count(*)::int as total from network_link where ${matching(sql, run, filter)}`,
  );
  return row.total;
}

/**
 * The first attempts by link, then the second ones, at most `limit`. Two queries, the first in primary key order: a
 * single sort by attempt would write the reports of all 32,640 links of 256 nodes to temporary files.
 */
export async function selectFirstLinks(sql: Queryable, run: RunKey, limit: number): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select * from (
      (select ${linkColumns(sql)} from network_link where ${matching(sql, run, { attempt: 1 })} order by link limit ${limit})
      union all
      (select ${linkColumns(sql)} from network_link where ${matching(sql, run, {})} and attempt > 1
        order by attempt, link limit ${limit})
    ) rows order by attempt, link limit ${limit}`;
}

/** One page in the requested order; null values come last. The page's keys are selected first, then its rows. */
export async function selectLinkPage(sql: Queryable, run: RunKey, query: ListLinksQuery): Promise<LinkRow[]> {
  const column: Fragment = {
    link_id: sql`link`,
    bandwidth_gbps: sql`bandwidth_gbps`,
    latency_us: sql`latency_us`,
  }[query.sort_by];
  const direction = query.sort_order === 'desc' ? sql`desc` : sql`asc`;
  const offset = (query.page - 1) * query.per_page;
  const order = sql`order by figure ${direction} nulls last, link, attempt`;
  const keys = sql`select job_id, item, link, attempt, ${column} as figure from network_link where ${matching(sql, run, query)}`;
  // Read backwards, an index begins with the nulls. So rows with the figure and rows without it are each read in index order.
  const ofBoth = sql`(
    (${keys} and ${column} is not null order by ${column} desc, link, attempt limit ${offset + query.per_page})
    union all
    (${keys} and ${column} is null order by ${column}, link, attempt limit ${offset + query.per_page})
  )`;
  const found = query.sort_order === 'desc' ? sql`select * from ${ofBoth} as either` : keys;
  return sql<LinkRow[]>`
    with page as materialized (${found} ${order} limit ${query.per_page} offset ${offset})
    select ${linkColumns(sql)} from page join network_link using (job_id, item, link, attempt)
    ${order}`;
}

/**
 * The next rows after (link, attempt), in that order: reads a whole table in chunks without holding a connection in
 * between.
 */
export async function selectLinksAfter(
  sql: Queryable,
  run: RunKey,
  filter: LinkFilter,
  after: { link: number; attempt: number; limit: number },
): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${linkColumns(sql)} from network_link
    where ${matching(sql, run, filter)} and (link, attempt) > (${after.link}, ${after.attempt})
    order by link, attempt limit ${after.limit}`;
}

function matching(sql: Queryable, { jobId, item }: RunKey, { attempt, status, verdict, node }: LinkFilter): Fragment {
  const conditions = [sql`job_id = ${jobId}`, sql`item = ${item}`, sql`status is not null`];
  if (attempt !== undefined) conditions.push(sql`attempt = ${attempt}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (verdict !== undefined) conditions.push(sql`coalesce(verdict, 'unmeasured') = ${verdict}`);
  if (node !== undefined) conditions.push(sql`${node} in (source, target)`);
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`);
}

/** The fields of a pair's first attempt that the matrix needs. */
interface CellRow {
  link: number;
  source: number;
  target: number;
  forward_gbps: number | null;
  reverse_gbps: number | null;
  latency_us: number | null;
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
  expected_forward_rates: number | null;
  expected_reverse_rates: number | null;
  status: LinkStatus;
  verdict: LinkVerdict;
}

/** The first attempts at the links of the graph over one transport, without the ends' detailed reports. */
export async function selectCells(
  sql: Queryable,
  { jobId, item, transport }: RunKey & { transport: NetworkTransport },
): Promise<CellRow[]> {
  return sql<CellRow[]>`
    select link, source, target, (target_report -> 'received' ->> 'gbps')::float8 as forward_gbps,
      (source_report -> 'received' ->> 'gbps')::float8 as reverse_gbps, latency_us,
      expected_forward_gbps, expected_reverse_gbps, expected_forward_rates, expected_reverse_rates, status,
      coalesce(verdict, 'unmeasured') as verdict
    from network_link
    where job_id = ${jobId} and item = ${item} and attempt = 1 and transport = ${transport}
      and phase in ('rounds', 'preflight') and status is not null
    order by link`;
}

/** A job's sequence, for the job of `customerId` or, if that is null, of any customer. */
export async function findSequence(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string | null },
): Promise<{ benchmark_sequence: BenchmarkItem[] } | undefined> {
  return maybeOne(
    await sql<{ benchmark_sequence: BenchmarkItem[] }[]>`
    select benchmark_sequence from job
    where id = ${id} and deleted_at is null and (${customerId}::int8 is null or customer_id = ${customerId}::int8)`,
  );
}

/**
 * First attempts that have a status, written by transactions after `since`. A version is a transaction id, and the
 * answer's version is below every transaction that may still be in progress: nothing is ever missed, but a few cells
 * are returned twice.
 */
export async function selectMatrix(
  sql: Queryable,
  key: RunKey,
  { since, limit }: { since: number; limit: number },
): Promise<Pick<NetworkMatrix, 'version' | 'cells'>> {
  const rows = await sql<(NetworkMatrix['cells'][number] & { version: string; horizon: string })[]>`
    select link.version, horizon.version as horizon, source as source_node, target as target_node, status,
      (target_report -> 'received' ->> 'gbps')::float8 as forward_gbps,
      (source_report -> 'received' ->> 'gbps')::float8 as reverse_gbps,
      ((case when dialer = source then source_report else target_report end) -> 'rtt_us' ->> 'p50')::float8 / 2 as latency_us
    from (select pg_snapshot_xmin(pg_current_snapshot())::text::int8 - 1 as version) horizon
    left join network_link link on link.job_id = ${key.jobId} and link.item = ${key.item} and link.version > ${since}
      and link.attempt = 1 and link.phase <> 'ring' and link.status is not null
    order by link.version fetch first ${limit} rows with ties`;
  const cells = rows.filter((row) => row.status !== null);
  const horizon = Number(rows[0]?.horizon ?? since);
  const newest = cells.length >= limit ? Number(cells.at(-1)?.version ?? horizon) : horizon;
  return {
    version: Math.max(since, Math.min(horizon, newest)),
    cells: cells.map(({ version: _version, horizon: _horizon, ...cell }) => cell),
  };
}
