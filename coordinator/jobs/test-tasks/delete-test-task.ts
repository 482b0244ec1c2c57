import type { z } from 'zod';
import type { identifyTestTaskRequest } from '../../contract/test-task.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { testTaskKey } from './get-test-task.ts';
import { markTestTaskDeleted } from './queries.ts';

/** Soft-deletes a record of the caller. Throws `not_found`. */
export async function deleteTestTask(
  context: Context,
  input: z.output<typeof identifyTestTaskRequest>,
): Promise<{ task_id: string; deleted: true }> {
  if (!(await markTestTaskDeleted(context.sql, testTaskKey(context, input), context.now())))
    throw notFound('Test task');
  return { task_id: input.task_id, deleted: true };
}
