import type { Fragment } from 'postgres';
import type { Queryable } from '../../platform/db/client.ts';

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

/** Machines of a customer's runs, the newest first, with the inventory's words of the newest run. Null: of all customers. */
export async function selectMachines(
  sql: Queryable,
  { customerId, limit, offset }: { customerId: string | null; limit: number; offset: number },
): Promise<MachineRow[]> {
  const where = sql`deleted_at is null ${ofCustomer(sql, customerId)}`;
  // Of all machines the index alone is read; what the newest run says, only of those that are shown.
  return sql<MachineRow[]>`
    select page.*, newest.hostname, coalesce(newest.gpu_model, earlier.gpu_model) as gpu_model,
      case when newest.gpu_model is null then earlier.gpu_count else newest.gpu_count end as gpu_count
    from (
      select machine_uuid, bool_or(simulated) as simulated, count(*)::int as runs,
        (count(*) filter (where state = 'completed'))::int as completed, max(created_at) as last_at,
        (count(*) over ())::int as total
      from task where ${where}
      group by machine_uuid
      order by last_at desc, machine_uuid
      limit ${limit} offset ${offset}
    ) page
    left join lateral (
      select hostname, gpu_model, gpu_count from task
      where machine_uuid = page.machine_uuid and ${where} order by id desc limit 1
    ) newest on true
    left join lateral (
      select gpu_model, gpu_count from task
      where newest.gpu_model is null and machine_uuid = page.machine_uuid and gpu_model is not null and ${where}
      order by id desc limit 1
    ) earlier on true
    order by last_at desc, machine_uuid`;
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
  /** the first moment, and that after the last */
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
