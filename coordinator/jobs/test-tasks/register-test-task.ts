import type { z } from 'zod';
import type { registerTestTaskRequest } from '../../contract/test-task-register.ts';
import type { TestTask } from '../../contract/test-task.ts';
import type { Context } from '../../platform/context.ts';
import { ownCustomer } from '../../platform/actor.ts';
import { insertTestTask } from './queries.ts';
import { testTaskOnWire } from './test-task-on-wire.ts';

/** A new record of the caller's customer; properties the interface does not name are kept as they come. */
export async function registerTestTask(
  context: Context,
  { machine_uuid, machine_inventory = [], description, ...extra }: z.output<typeof registerTestTaskRequest>,
): Promise<TestTask> {
  const row = await insertTestTask(context.sql, {
    id: context.newId(),
    customerId: ownCustomer(context.actor),
    machineUuid: machine_uuid,
    machineInventory: machine_inventory,
    description: description ?? null,
    extra,
    now: context.now(),
  });
  return testTaskOnWire(row);
}
