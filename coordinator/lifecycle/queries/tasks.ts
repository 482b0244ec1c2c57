import type { Queryable } from '../../platform/db/client.ts';

/** Sentences kept per task. */
const MOST_WARNINGS = 200;

/** Adds the sentences that the task does not hold yet. */
export async function mergeWarnings(sql: Queryable, taskId: string, warnings: string[]): Promise<void> {
  await sql`
    update task set warnings = (
      select coalesce(array_agg(warning order by place), '{}')
      from (
        select warning, min(place) as place from unnest(warnings || ${warnings}::text[]) with ordinality as w (warning, place)
        group by warning order by min(place) limit ${MOST_WARNINGS}
      ) merged
    )
    where id = ${taskId}`;
}

export async function updateInventory(
  sql: Queryable,
  machine: { taskId: string; configId: string; machineIp: string | null; gpuCount: number; inventory: unknown },
): Promise<void> {
  await sql`
    update task set config_id = ${machine.configId}, machine_ip = coalesce(${machine.machineIp}, machine_ip),
      gpu_count = ${machine.gpuCount}, inventory = ${JSON.stringify(machine.inventory)}::text::jsonb
    where id = ${machine.taskId}`;
}

export async function updateDevices(
  sql: Queryable,
  devices: { taskId: string; gpuVendor: string; gpuModel: string; simulated: boolean },
): Promise<void> {
  await sql`
    update task set gpu_vendor = ${devices.gpuVendor}, gpu_model = ${devices.gpuModel},
      simulated = simulated or ${devices.simulated}
    where id = ${devices.taskId}`;
}
