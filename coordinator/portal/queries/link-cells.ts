import type { LinkStatus, LinkVerdict } from '../../contract/cluster-network.ts';
import type { Queryable } from '../../platform/db/client.ts';

/** Both directions between two nodes, reduced to what the overview needs. */
export interface LinkCell {
  source: number;
  target: number;
  forward_gbps: number | null;
  reverse_gbps: number | null;
  /** what the run expects of each direction; null: not judged yet */
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
  /** length of the single window in which the rate of this direction was measured */
  forward_window_ms: number | null;
  reverse_window_ms: number | null;
  status: LinkStatus;
  verdict: LinkVerdict | null;
}

/**
 * First attempts at the links of the job's last cluster_network over its main transport, as the report draws them:
 * retests decide verdicts but are not drawn. Before the run has ended, the transport is that of its rounds.
 */
export async function selectLinkCells(sql: Queryable, jobId: string): Promise<LinkCell[]> {
  return sql<LinkCell[]>`
    with run as (
      select item, summary ->> 'transport' as transport from network_run
      where job_id = ${jobId} order by item desc limit 1
    ), main as (
      select run.item, coalesce(run.transport, (
        select transport from network_link l where l.job_id = ${jobId} and l.item = run.item and phase = 'rounds' limit 1
      )) as transport from run
    )
    select source, target, (target_report -> 'received' ->> 'gbps')::float8 as forward_gbps,
      (source_report -> 'received' ->> 'gbps')::float8 as reverse_gbps, expected_forward_gbps, expected_reverse_gbps,
      (target_report -> 'received' ->> 'window_ms')::float8 as forward_window_ms,
      (source_report -> 'received' ->> 'window_ms')::float8 as reverse_window_ms, status, verdict
    from main join network_link link on link.job_id = ${jobId} and link.item = main.item
      and link.transport = main.transport
    where attempt = 1 and phase in ('rounds', 'preflight') and status is not null
    order by link`;
}

export interface SeatName {
  node: number;
  name: string;
}

/** Names of the nodes of that run, by the numbers used in its links. */
export async function selectSeatNames(sql: Queryable, jobId: string): Promise<SeatName[]> {
  return sql<SeatName[]>`
    select node.node, coalesce(task.hostname, left(task.machine_uuid, 8)) as name
    from network_node node join task on task.id = node.task_id
    where node.job_id = ${jobId} and node.item = (select max(item) from network_run where job_id = ${jobId})
    order by node.node`;
}
