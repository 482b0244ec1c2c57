import type { NetworkMatrix } from '../../contract/network-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import type { RunKey } from '../run-row.ts';

/**
 * First attempts that have a status, written by transactions after `since`. A version is a transaction's number, and the
 * answer's version is below every transaction that may still be at work: nothing is ever missed, a few cells come twice.
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
