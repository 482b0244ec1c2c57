import type { z } from 'zod';
import type { identifyTestTaskRequest } from '../../contract/test-task.ts';
import { recordEvent } from '../../accounts/audit/record-event.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { testTaskKey } from './get-test-task.ts';
import { markTestTaskDeleted } from './queries.ts';

/** Soft-deletes a record of the caller. Throws `not_found`. */
export async function deleteTestTask(
  context: Context,
  input: z.output<typeof identifyTestTaskRequest>,
): Promise<{ task_id: string; deleted: true }> {
  await context.sql.begin(async (tx) => {
    const customerId = await markTestTaskDeleted(tx, testTaskKey(context, input), context.now());
    if (customerId === null) throw notFound('Test task');
    await recordEvent(context, tx, { action: 'test_task_deleted', customerId, subject: input.task_id });
  });
  return { task_id: input.task_id, deleted: true };
}
