import type { Judgement } from '../contract/judgement.ts';
import type { Queryable } from '../platform/db/client.ts';
import { maybeOne } from '../platform/db/rows.ts';
import type { JobExpansions, JobRow } from './job-row.ts';

export type JobDetailRow = JobRow &
  JobExpansions & {
    report_key: string | null;
    report_file_name: string | null;
    scoreboard_model: string | null;
    scoreboard_group: string | null;
    scoreboard_index: number | null;
    warnings: string[];
    judgement: Judgement | null;
    customer_name: string;
  };

/** A job that is not deleted, of `customerId` or, if that is null, of any customer. */
export async function findJob(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string | null },
): Promise<JobDetailRow | undefined> {
  const row = maybeOne(
    await sql<JobDetailRow[]>`
    select job.id, job.customer_id, job.name, job.description, job.state, job.node_count, job.current_nodes,
      job.benchmark_sequence, job.benchmarks, job.tags, job.token_id, job.token_kid, job.created_at, job.started_at,
      job.expires_at, job.ended_at, job.gpu_models, job.quick_mark_aggregate, job.performance, job.performance_nodes,
      job.scoreboard_model, job.scoreboard_group, job.scoreboard_index, job.warnings, job.judgement,
      artifact.storage_key as report_key, artifact.file_name as report_file_name, customer.name as customer_name
    from job
    join customer on customer.id = job.customer_id
    left join artifact on artifact.id = job.report_artifact_id
    where job.id = ${id} and job.deleted_at is null
      and (${customerId}::int8 is null or job.customer_id = ${customerId}::int8)`,
  );
  return row;
}

/** The owner of a job that is not deleted; distinguishes "not yours" from "not there". */
export async function findJobOwner(sql: Queryable, id: string): Promise<string | undefined> {
  const row = maybeOne(
    await sql<{ customer_id: string }[]>`
    select customer_id from job where id = ${id} and deleted_at is null`,
  );
  return row?.customer_id;
}

/** Unique tags of one customer's jobs or of all, of one person's jobs or of everybody's; at most `limit`. */
export async function distinctTags(
  sql: Queryable,
  of: { customerId: string | null; createdBy: string | null; limit: number },
): Promise<string[]> {
  const owner = of.customerId === null ? sql`` : sql`and job.customer_id = ${of.customerId}`;
  const creator = of.createdBy === null ? sql`` : sql`and job.created_by = ${of.createdBy}`;
  const rows = await sql<{ tag: string }[]>`
    select distinct tag from job, unnest(job.tags) as tag
    where job.deleted_at is null ${owner} ${creator}
    order by tag limit ${of.limit}`;
  return rows.map((row) => row.tag);
}

/** True if the key is new, or was last used before `forgottenBefore`. */
export async function claimKey(
  sql: Queryable,
  claim: {
    customer_id: string;
    key: string;
    request_hash: string;
    status: number;
    body: Record<string, unknown>;
    created_at: Date;
  },
  forgottenBefore: Date,
): Promise<boolean> {
  const claimed = await sql`
    insert into idempotency_key ${sql({ ...claim, body: sql.json(claim.body) })}
    on conflict (customer_id, key) do update
      set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
        created_at = excluded.created_at
      where idempotency_key.created_at <= ${forgottenBefore}`;
  return claimed.count === 1;
}

export async function findKey(
  sql: Queryable,
  { customer_id, key }: { customer_id: string; key: string },
): Promise<{ request_hash: string; body: Record<string, unknown> } | undefined> {
  const row = maybeOne(
    await sql<{ request_hash: string; body: Record<string, unknown> }[]>`
    select request_hash, body from idempotency_key where customer_id = ${customer_id} and key = ${key}`,
  );
  return row;
}

/** What a job's token is derived from, even if the job is deleted: a repeated answer shows the same token as the first. */
export async function findTokenRow(
  sql: Queryable,
  { id, customerId }: { id: string; customerId: string },
): Promise<TokenRow | undefined> {
  const row = maybeOne(
    await sql<TokenRow[]>`
    select id, customer_id, token_id, token_kid, created_at, expires_at
    from job where id = ${id} and customer_id = ${customerId}`,
  );
  return row;
}

export type TokenRow = Pick<JobRow, 'id' | 'customer_id' | 'token_id' | 'token_kid' | 'created_at' | 'expires_at'>;

/** Jobs that ended before this moment and are not deleted, the oldest first. */
export async function findJobsEndedBefore(
  sql: Queryable,
  before: Date,
  limit: number,
): Promise<{ id: string; customer_id: string }[]> {
  return sql<{ id: string; customer_id: string }[]>`
    select id, customer_id from job where ended_at < ${before} and deleted_at is null order by ended_at limit ${limit}`;
}

export async function deleteKeys(
  sql: Queryable,
  { createdBefore, limit }: { createdBefore: Date; limit: number },
): Promise<void> {
  await sql`
    delete from idempotency_key where (customer_id, key) in (
      select customer_id, key from idempotency_key where created_at <= ${createdBefore} limit ${limit}
    )`;
}

interface MeasuredRow {
  task_id: string;
  location: string | null;
  gpu_model: string | null;
  /** bytes of its first device */
  memory_bytes: number | null;
  ended_at: Date | null;
  simulated: boolean;
  /** the few figures of QuickMark that a footprint needs; the rest of a large result stays in the database */
  measured: unknown;
}

/** The newest QuickMark of each node of a job. */
export async function selectMeasured(sql: Queryable, jobId: string): Promise<MeasuredRow[]> {
  return sql<MeasuredRow[]>`
    select task.id as task_id, inventory->>'location' as location, gpu_model,
      (inventory->'gpu_info'->0->>'total_memory')::float8 as memory_bytes, task.ended_at, task.simulated,
      jsonb_build_object(
        'test_results', (
          select jsonb_agg(jsonb_build_object('vendor', device->'vendor', 'gpu_model', device->'gpu_model',
            'simulated', device->'simulated', 'energy_consumption_wh', device->'energy_consumption_wh',
            'unavailable', device->'unavailable', 'verdicts', device->'verdicts'))
          from jsonb_array_elements(newest.results->'test_results') device),
        'aggregate_results', jsonb_build_object(
          'bf16_tflops', newest.results->'aggregate_results'->'bf16_tflops',
          'fp16_tflops', newest.results->'aggregate_results'->'fp16_tflops',
          'fp32_tflops', newest.results->'aggregate_results'->'fp32_tflops',
          'power_consumption_watts', newest.results->'aggregate_results'->'power_consumption_watts')) as measured
    from task cross join lateral (
      select results from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and not kept_aside
      order by epoch desc, attempt desc, benchmark_result.id desc limit 1
    ) newest
    where task.job_id = ${jobId} and task.deleted_at is null and jsonb_typeof(newest.results->'test_results') = 'array'
    order by task.id`;
}
