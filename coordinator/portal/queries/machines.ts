import type { Fragment } from 'postgres';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';

export interface MachineRow {
  machine_uuid: string;
  hostname: string | null;
  gpu_model: string | null;
  gpu_count: number | null;
  simulated: boolean;
  runs: number;
  completed: number;
  last_at: Date;
  total: number;
}

/** Machines by newest run, newest first, with its host and the GPUs last reported. `customerId` null: of all customers. */
export async function selectMachines(
  sql: Queryable,
  { customerId, limit, offset }: { customerId: string | null; limit: number; offset: number },
): Promise<MachineRow[]> {
  const where = sql`where true ${ofCustomer(sql, customerId)}`;
  const named = sql`and page.gpu_model is null and gpu_model is not null`;
  // Triggers keep the counts of runs, so for each machine only one index entry is read: that of its newest run.
  return sql<MachineRow[]>`
    select page.machine_uuid, page.hostname, coalesce(page.gpu_model, earlier.gpu_model) as gpu_model,
      case when page.gpu_model is null then earlier.gpu_count else page.gpu_count end as gpu_count,
      simulated, runs, completed, last_at, total
    from (
      select machine.*, newest.hostname, newest.gpu_model, newest.gpu_count, newest.created_at as last_at,
        (count(*) over ())::int as total
      from (
        select machine_uuid, sum(runs)::int as runs, sum(completed)::int as completed, sum(simulated) > 0 as simulated,
          array_agg(distinct customer_id) as customers
        from (
          select customer_id, machine_uuid, runs, completed, simulated from machine_runs ${where}
          union all
          select customer_id, machine_uuid, runs, completed, simulated from machine_change ${where}
        ) counted
        group by machine_uuid
        having sum(runs) > 0
      ) machine
      cross join lateral (${newestRun(sql, { machines: 'machine', customerId })}) newest
      order by last_at desc, machine_uuid
      limit ${limit} offset ${offset}
    ) page
    left join lateral (${newestRun(sql, { machines: 'page', customerId, condition: named })}) earlier on true
    order by last_at desc, page.machine_uuid`;
}

interface NewestRun {
  machines: 'machine' | 'page';
  customerId: string | null;
  condition?: Fragment;
}

/** The newest run of the machine in a row of `machines`; reads one index entry per customer. */
function newestRun(sql: Queryable, { machines, customerId, condition = sql`` }: NewestRun): Fragment {
  const newestOf = (owner: Fragment) => sql`
    select id, created_at, hostname, gpu_model, gpu_count from task
    where customer_id = ${owner} and machine_uuid = ${sql(machines)}.machine_uuid and deleted_at is null ${condition}
    order by id desc limit 1`;
  // Not sorted again: sorting the one run of each machine would take a quarter of the time of a file of 2,000 machines.
  if (customerId !== null) return newestOf(sql`${customerId}::int8`);
  return sql`
    select run.* from unnest(${sql(machines)}.customers) owner (id) cross join lateral (${newestOf(sql`owner.id`)}) run
    order by run.id desc limit 1`;
}

/** Adds up to `limit` changes to the counts of machines, the oldest first. Returns how many. */
export async function foldMachineChanges(tx: Transaction, limit: number): Promise<number> {
  const { folded } = one(
    await tx<{ folded: number }[]>`
    with change as (
      delete from machine_change where id in (select id from machine_change order by id limit ${limit})
      returning customer_id, machine_uuid, runs, completed, simulated
    ), added as (
      insert into machine_runs as known (customer_id, machine_uuid, runs, completed, simulated)
      select customer_id, machine_uuid, sum(runs), sum(completed), sum(simulated)
      from change group by customer_id, machine_uuid
      on conflict (customer_id, machine_uuid) do update set runs = known.runs + excluded.runs,
        completed = known.completed + excluded.completed, simulated = known.simulated + excluded.simulated
    )
    select count(*)::int as folded from change`,
  );
  return folded;
}

const ofCustomer = (sql: Queryable, customerId: string | null): Fragment =>
  customerId === null ? sql`` : sql`and customer_id = ${customerId}::int8`;

export interface MachineRunRow {
  task_id: string;
  job_id: string;
  ended_at: Date;
  simulated: boolean;
  driver: string | null;
  agent_version: string;
  result_id: string;
  /** runs of all pages */
  total: number;
}

interface RunsWanted {
  customerId: string | null;
  machineUuid: string;
  /** start of the range, inclusive; `before`: its end, exclusive */
  from: Date | null;
  before: Date | null;
  limit: number;
  offset: number;
}

/** Completed runs of one machine that have figures, the newest first. */
export async function selectMachineRuns(sql: Queryable, wanted: RunsWanted): Promise<MachineRunRow[]> {
  const { customerId, machineUuid, from, before, limit, offset } = wanted;
  // Inventories are large, so only those of the page are read.
  return sql<MachineRunRow[]>`
    select task.id as task_id, task.job_id, task.ended_at, task.simulated, task.agent_version,
      task.inventory->'gpu_info'->0->>'driver_version' as driver, page.result_id, page.total
    from (
      select task.id, result.id as result_id, (count(*) over ())::int as total
      from task
      join lateral (
        select id from benchmark_result
        where task_id = task.id and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
          and results is not null
        order by epoch desc, attempt desc, id desc limit 1
      ) result on true
      where task.machine_uuid = ${machineUuid} and task.deleted_at is null and task.ended_at is not null
        and (${from}::timestamptz is null or task.ended_at >= ${from}::timestamptz)
        and (${before}::timestamptz is null or task.ended_at < ${before}::timestamptz)
        ${ofCustomer(sql, customerId)}
      order by task.ended_at desc, task.id desc
      limit ${limit} offset ${offset}
    ) page join task on task.id = page.id
    order by task.ended_at desc, task.id desc`;
}
