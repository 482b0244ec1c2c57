import type { z } from 'zod';
import type { TestTask, updateTestTaskRequest } from '../../contract/test-task.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { updateTestTask as updateRow } from './queries.ts';
import { testTaskOnWire } from './test-task-on-wire.ts';

/** Changes what is given. The interface lists state and message as arrays: of several the last counts. */
export async function updateTestTask(
  context: Context,
  input: z.output<typeof updateTestTaskRequest>,
): Promise<TestTask> {
  const key = { id: input.task_id, customerId: visibleCustomer(context.actor), machineUuid: null };
  const row = await updateRow(context.sql, key, {
    state: lastOf(input.state),
    failedMessage: lastOf(input.failed_message),
    description: input.description ?? null,
    now: context.now(),
  });
  return testTaskOnWire(row);
}

const lastOf = <T extends string>(value: T | T[] | undefined): T | null =>
  (Array.isArray(value) ? value.at(-1) : value) ?? null;
