import { isClass } from '../../contract/load-class.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { eachMetric, type CustomerVote, type KeyMetric, type ModelFigures } from './node-figures.ts';

/** Newest results read per customer, so that no customer fills the sample with its own. */
const NEWEST_OF_CUSTOMER = 200;
/** Most customers with a vote, and so the largest sample. */
const MOST_CUSTOMERS = 500;

/**
 * A vote per customer that has results of the model: the median over its machines, each by its newest result, and how many
 * machines there are. Only medians of these votes leave the coordinator. For bf16 only what `bf16_engine` measured
 * under the load `bf16_load` counts, and nothing if that cannot be compared.
 * Results of `exceptJob` do not count, or a large job would be its own yardstick.
 */
export async function selectVotes(
  sql: Queryable,
  { model_key, bf16_engine, bf16_load }: Pick<ModelFigures, 'model_key' | 'bf16_engine' | 'bf16_load'>,
  exceptJob: string,
): Promise<CustomerVote[]> {
  const load = isClass(bf16_load) ? bf16_load : null;
  const rows = await sql<VoteRow[]>`
    with recursive voter as (${votersOf(sql, model_key)}), newest as (
      select entry.* from (select customer_id from voter where customer_id is not null limit ${MOST_CUSTOMERS}) v
      cross join lateral (
        select customer_id, machine_uuid, measured_at, bf16_tflops, bf16_engine, bf16_load, memory_bandwidth_gbs,
          host_to_device_bandwidth_gbs, device_to_host_bandwidth_gbs
        from scoreboard_entry
        where model_key = ${model_key} and customer_id = v.customer_id and job_id <> ${exceptJob}
        order by measured_at desc limit ${NEWEST_OF_CUSTOMER}
      ) entry
    ), same_engine as (
      select distinct on (customer_id, machine_uuid) customer_id, machine_uuid,
        case when bf16_load = ${load} then bf16_tflops end as bf16_tflops
      from newest where bf16_tflops is not null and bf16_engine is not distinct from ${bf16_engine}
      order by customer_id, machine_uuid, (bf16_load = ${load}) desc nulls last, measured_at desc
    ), machine as (
      select distinct on (newest.customer_id, newest.machine_uuid) newest.customer_id, same_engine.bf16_tflops,
        memory_bandwidth_gbs, host_to_device_bandwidth_gbs, device_to_host_bandwidth_gbs,
        (newest.bf16_tflops is not null and same_engine.machine_uuid is null) as by_other_engine,
        (same_engine.machine_uuid is not null and same_engine.bf16_tflops is null) as under_other_load
      from newest left join same_engine using (customer_id, machine_uuid)
      order by newest.customer_id, newest.machine_uuid, measured_at desc
    )
    select customer_id, count(*) filter (where by_other_engine)::int as bf16_by_other_engine,
      count(*) filter (where under_other_load)::int as bf16_under_other_load,
      ${medianAndCount(sql, 'bf16_tflops')},
      ${medianAndCount(sql, 'memory_bandwidth_gbs')},
      ${medianAndCount(sql, 'host_to_device_bandwidth_gbs')},
      ${medianAndCount(sql, 'device_to_host_bandwidth_gbs')}
    from machine group by customer_id order by customer_id`;
  return rows.map(voteOf);
}

/** The customers that have results of the model, each found by one index lookup, and a null at the end. */
const votersOf = (sql: Queryable, model_key: string) => sql`
  (select customer_id from scoreboard_entry where model_key = ${model_key} order by customer_id limit 1)
  union all
  select (
    select customer_id from scoreboard_entry
    where model_key = ${model_key} and customer_id > voter.customer_id order by customer_id limit 1
  ) from voter where voter.customer_id is not null`;

/** The votes on one figure, under its key in `PeerFigure`: customers, the medians over their machines, and how many machines. */
export interface FigureVotes {
  key: string;
  customers: string[];
  medians: number[];
  machines: number[];
}

/**
 * The votes of the customers that have results of the model, on every figure that at least `fewest` of them have: by the newest
 * result of each machine that has it, from at most as many customers and results as in `selectVotes`.
 */
export async function selectFigureVotes(sql: Queryable, model_key: string, fewest: number): Promise<FigureVotes[]> {
  return sql<FigureVotes[]>`
    with recursive voter as (${votersOf(sql, model_key)}), vote as (
      select v.customer_id, of_customer.*
      from (select customer_id from voter where customer_id is not null limit ${MOST_CUSTOMERS}) v
      cross join lateral (
        select key, percentile_cont(0.5) within group (order by value) as median, count(*)::int as machines
        from (
          select distinct on (machine_uuid, key) key, value::float8 as value
          from (
            select machine_uuid, measured_at, coalesce(figures, ${figuresInColumns(sql)}) as figures from scoreboard_entry
            where model_key = ${model_key} and customer_id = v.customer_id
            order by measured_at desc limit ${NEWEST_OF_CUSTOMER}
          ) entry cross join lateral jsonb_each(entry.figures) figure
          order by machine_uuid, key, measured_at desc
        ) newest group by key
      ) of_customer
    )
    select key, array_agg(customer_id order by customer_id) as customers, array_agg(median order by customer_id) as medians,
      array_agg(machines order by customer_id) as machines
    from vote group by key having count(*) >= ${fewest} order by key`;
}

/** The key figures, under their keys in `PeerFigure`. */
const figuresInColumns = (sql: Queryable) => sql`
  jsonb_strip_nulls(jsonb_build_object('memory_bandwidth_gbs', memory_bandwidth_gbs,
    'host_to_device_bandwidth_gbs', host_to_device_bandwidth_gbs,
    'device_to_host_bandwidth_gbs', device_to_host_bandwidth_gbs,
    'bf16_tflops|' || coalesce(bf16_engine, '') || '|' || coalesce(bf16_load, ''),
    case when bf16_engine is not null and bf16_load is not null then bf16_tflops end))`;

/** Entries of earlier releases whose other figures have not been read from their results yet, the newest first. */
export async function selectUnread(sql: Queryable, limit: number): Promise<{ task_id: string }[]> {
  return sql`
    select task_id from scoreboard_entry where figures is null order by measured_at desc limit ${limit}`;
}

/** Stores the figures that were read. The key figures stay as they were entered. */
export async function setFigures(sql: Queryable, taskId: string, figures: Record<string, number>): Promise<void> {
  await sql`
    update scoreboard_entry set figures = ${sql.json(figures)} || ${figuresInColumns(sql)}
    where task_id = ${taskId} and figures is null`;
}

/** The models that have results for others to be compared with; one spelling of each. */
export async function selectModels(
  sql: Queryable,
): Promise<(Pick<ModelFigures, 'gpu_vendor' | 'gpu_model'> & { model_key: string })[]> {
  return sql`
    select model_key, min(gpu_vendor) as gpu_vendor, min(gpu_model) as gpu_model from scoreboard_entry
    where model_key is not null group by model_key order by count(*) desc, model_key`;
}

type VoteRow = Pick<CustomerVote, 'customer_id' | 'bf16_by_other_engine' | 'bf16_under_other_load'> &
  Record<KeyMetric, number | null> &
  Record<`${KeyMetric}_machines`, number>;

const medianAndCount = (sql: Queryable, metric: KeyMetric) =>
  sql`percentile_cont(0.5) within group (order by ${sql(metric)}) as ${sql(metric)},
    count(${sql(metric)})::int as ${sql(`${metric}_machines`)}`;

const voteOf = (row: VoteRow): CustomerVote => ({
  customer_id: row.customer_id,
  figures: eachMetric((metric) => row[metric]),
  machines: eachMetric((metric) => row[`${metric}_machines`]),
  bf16_by_other_engine: row.bf16_by_other_engine,
  bf16_under_other_load: row.bf16_under_other_load,
});

export async function upsertScoreboardEntry(
  sql: Queryable,
  of: { task_id: string; job_id: string; customer_id: string; machine_uuid: string; measured_at: Date },
  { figures: key, gpu_vendor, gpu_model, model_key, device_count, bf16_engine: engine, bf16_load: load }: ModelFigures,
  figures: Record<string, number>,
): Promise<void> {
  // A mean over both engines is meaningless: such an entry has no engine.
  const bf16_engine = key.bf16_tflops === null || engine === 'mixed' ? null : engine;
  const bf16_load = key.bf16_tflops !== null && isClass(load) ? load : null;
  const row = {
    ...of,
    gpu_vendor,
    gpu_model,
    model_key,
    device_count,
    ...key,
    bf16_engine,
    bf16_load,
    figures: sql.json(figures),
  };
  await sql`
    insert into scoreboard_entry ${sql(row)}
    on conflict (task_id) do update
      set gpu_vendor = excluded.gpu_vendor, gpu_model = excluded.gpu_model, model_key = excluded.model_key,
        device_count = excluded.device_count, bf16_tflops = excluded.bf16_tflops, bf16_engine = excluded.bf16_engine,
        bf16_load = excluded.bf16_load,
        memory_bandwidth_gbs = excluded.memory_bandwidth_gbs,
        host_to_device_bandwidth_gbs = excluded.host_to_device_bandwidth_gbs,
        device_to_host_bandwidth_gbs = excluded.device_to_host_bandwidth_gbs, figures = excluded.figures,
        measured_at = excluded.measured_at`;
}

export async function deleteScoreboardEntry(sql: Queryable, taskId: string): Promise<void> {
  await sql`delete from scoreboard_entry where task_id = ${taskId}`;
}

/** Newest jobs of one customer in a group; their median determines its place there. */
const JOBS_OF_CUSTOMER = 100;

/**
 * Place of a customer's job among the other customers with jobs in its group, each by the median of its newest jobs that
 * are not deleted: however many jobs a customer has, it takes one place.
 */
export async function rankOf(
  sql: Queryable,
  { group, index, customerId }: { group: string; index: number; customerId: string },
): Promise<{ of: number; above: number; notAbove: number }> {
  const { others, above } = one(
    await sql<{ others: number; above: number }[]>`
    with recursive voter as (
      (select customer_id from job where scoreboard_group = ${group} and deleted_at is null order by customer_id limit 1)
      union all
      select (
        select customer_id from job
        where scoreboard_group = ${group} and deleted_at is null and customer_id > voter.customer_id
        order by customer_id limit 1
      ) from voter where voter.customer_id is not null
    ), vote as (
      select (
        select percentile_cont(0.5) within group (order by scoreboard_index)
        from (
          select scoreboard_index from job
          where scoreboard_group = ${group} and deleted_at is null and customer_id = voter.customer_id
          order by id desc limit ${JOBS_OF_CUSTOMER}
        ) newest
      ) as median
      from (select * from voter where customer_id is not null limit ${MOST_CUSTOMERS}) voter
      where customer_id <> ${customerId}
    )
    select count(*)::int as others, (count(*) filter (where median > ${index}))::int as above from vote`,
  );
  return { of: others + 1, above, notAbove: others + 1 - above };
}
