import type { Queryable } from '../../platform/db/client.ts';

/** How many devices the nodes of each of these jobs have, of those whose inventory is in. The caller has found the jobs to be his. */
export async function selectGpuCounts(sql: Queryable, jobIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ job_id: string; gpus: number }[]>`
    select job_id, sum(gpu_count)::int as gpus from task
    where job_id = any(${[...jobIds]}::int8[]) and deleted_at is null and gpu_count is not null group by job_id`;
  return new Map(rows.map(({ job_id, gpus }) => [job_id, gpus]));
}
