import type { z } from 'zod';
import type { identifyTestTaskRequest, TestTask } from '../../contract/test-task.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { findTestTask, type TestTaskKey } from './queries.ts';
import { testTaskOnWire } from './test-task-on-wire.ts';

type Identified = z.output<typeof identifyTestTaskRequest>;

/** One record of the caller; with a machine_uuid it must be that machine's. Throws `not_found`. */
export const getTestTask = async (context: Context, input: Identified): Promise<TestTask> =>
  testTaskOnWire(await findTestTask(context.sql, testTaskKey(context, input)));

export const testTaskKey = (context: Context, { task_id, machine_uuid }: Identified): TestTaskKey => ({
  id: task_id,
  customerId: visibleCustomer(context.actor),
  machineUuid: machine_uuid ?? null,
});
