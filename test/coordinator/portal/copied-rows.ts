import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { insertCopies } from '../../support/insert-copies.ts';

/** An id far from all others in a test, and different for each copy. */
const SHIFT = '- 1000000000000000::int8 - n * 1000003::int8';

/**
 * Adds `count` copies of the job with its nodes and results, each an hour earlier; each machine gets as many more runs.
 */
export async function copyJob(sql: Sql, jobId: string, count: number): Promise<void> {
  const shift = sql.unsafe(SHIFT);
  const earlier = (column: string) => sql`${sql(column)} - n * interval '1 hour'`;
  const jobs = sql`
    select (jsonb_populate_record(row, jsonb_build_object('id', row.id ${shift}, 'name', row.name || ' ' || n,
      'created_at', ${earlier('created_at')}, 'report_artifact_id', null))).*
    from job row, generate_series(1, ${count}::int) n where row.id = ${jobId}`;
  await insertCopies(sql, 'job', jobs);
  await sql`
    insert into task select (jsonb_populate_record(row, jsonb_build_object('id', row.id ${shift}, 'job_id', row.job_id ${shift},
      'created_at', ${earlier('created_at')}, 'ended_at', ${earlier('ended_at')}, 'report_artifact_id', null))).*
    from task row, generate_series(1, ${count}::int) n where row.job_id = ${jobId}`;
  await copyResults(sql, jobId, count, true);
}

/** Adds `count` copies of a job's only node, as different machines. */
export async function copyNode(sql: Sql, jobId: string, count: number): Promise<void> {
  await sql`
    insert into task select (jsonb_populate_record(row, jsonb_build_object('id', row.id ${sql.unsafe(SHIFT)},
      'machine_uuid', row.machine_uuid || '-' || n, 'hostname', row.hostname || '-' || n, 'report_artifact_id', null))).*
    from task row, generate_series(1, ${count}::int) n where row.job_id = ${jobId}`;
  await copyResults(sql, jobId, count, false);
}

async function copyResults(sql: Sql, jobId: string, count: number, isOtherJob: boolean): Promise<void> {
  const shift = sql.unsafe(SHIFT);
  await sql`
    insert into benchmark_result (id, job_id, task_id, benchmark_id, attempt, result_key, state, started_at, ended_at, results,
      epoch, received_at)
    select id ${shift}, job_id ${isOtherJob ? shift : sql``}, task_id ${shift}, benchmark_id, attempt,
      encode(sha256((id ${shift})::text::bytea), 'hex'), state, started_at, ended_at, results, epoch, received_at
    from benchmark_result, generate_series(1, ${count}::int) n where job_id = ${jobId} and task_id is not null`;
}
