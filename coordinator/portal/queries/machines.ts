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
  return sql<MachineRow[]>`
    select machine_uuid,
      (array_agg(hostname order by id desc))[1] as hostname,
      (array_agg(gpu_model order by id desc) filter (where gpu_model is not null))[1] as gpu_model,
      (array_agg(gpu_count order by id desc) filter (where gpu_count is not null))[1] as gpu_count,
      bool_or(simulated) as simulated,
      count(*)::int as runs,
      (count(*) filter (where state = 'completed'))::int as completed,
      max(created_at) as last_at,
      (count(*) over ())::int as total
    from task
    where deleted_at is null and (${customerId}::int8 is null or customer_id = ${customerId}::int8)
    group by machine_uuid
    order by last_at desc, machine_uuid
    limit ${limit} offset ${offset}`;
}

export interface MachineRunRow {
  task_id: string;
  job_id: string;
  ended_at: Date;
  simulated: boolean;
  driver: string | null;
  agent_version: string;
  /** JSON of one quick_mark */
  results: string;
}

/** The newest completed runs of one machine that have figures, the newest first. */
export async function selectMachineRuns(
  sql: Queryable,
  { customerId, machineUuid, limit }: { customerId: string | null; machineUuid: string; limit: number },
): Promise<MachineRunRow[]> {
  return sql<MachineRunRow[]>`
    select task.id as task_id, task.job_id, task.ended_at, task.simulated, task.agent_version,
      task.inventory->'gpu_info'->0->>'driver_version' as driver, result.results::text as results
    from task
    join lateral (
      select results from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
        and results is not null
      order by epoch desc, attempt desc, id desc limit 1
    ) result on true
    where task.machine_uuid = ${machineUuid} and task.deleted_at is null and task.ended_at is not null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)
    order by task.ended_at desc, task.id desc
    limit ${limit}`;
}
