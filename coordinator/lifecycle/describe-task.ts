import type { MachineInventory } from '../contract/inventory.ts';
import type { QuickMarkTestResult } from '../contract/quick-mark.ts';
import type { Queryable } from '../platform/db/client.ts';
import { nodeFigures } from './performance/node-figures.ts';
import { mergeWarnings, updateDevices, updateInventory } from './queries/rows.ts';

/** Stores the machine as its agent found it. */
export async function storeInventory(sql: Queryable, taskId: string, inventory: MachineInventory): Promise<void> {
  await updateInventory(sql, {
    taskId,
    configId: inventory.config_id,
    machineIp: inventory.network_info.machine_ip,
    gpuCount: inventory.gpu_count,
    inventory,
  });
}

/** Stores which device model the task stands for, and whether anything in it was simulated. */
export async function storeDevices(
  sql: Queryable,
  taskId: string,
  devices: readonly QuickMarkTestResult[],
): Promise<void> {
  const main = nodeFigures(devices);
  if (!main) return;
  const simulated = devices.some((device) => device.simulated);
  await updateDevices(sql, { taskId, gpuVendor: main.gpu_vendor, gpuModel: main.gpu_model, simulated });
}

/** Adds the sentences that the task does not hold yet. */
export async function addWarnings(sql: Queryable, taskId: string, warnings: string[]): Promise<void> {
  if (warnings.length > 0) await mergeWarnings(sql, taskId, warnings);
}
