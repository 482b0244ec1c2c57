import type { z } from 'zod';
import type { listTestTasksRequest, TestTask, TestTaskColumn } from '../../contract/test-task.ts';
import { day, instant, pathId } from '../../contract/wire.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { invalidField } from '../../platform/errors.ts';
import { selectTestTasks, type TestTaskFilter } from './queries.ts';
import { testTaskOnWire } from './test-task-on-wire.ts';

type Request = z.output<typeof listTestTasksRequest>;

/** Records of the caller; newest first where nothing else is asked for. A repeated key means any of its values, different keys mean all. */
export async function listTestTasks(context: Context, input: Request): Promise<{ total: number; results: TestTask[] }> {
  const { num_per_page: limit, page_num } = input.paginate;
  const { total, rows } = await selectTestTasks(context.sql, {
    customerId: visibleCustomer(context.actor),
    filters: input.filter.flatMap(entriesOf).map(([column, value]) => checkedFilter(column, String(value))),
    order: input.order_by.flatMap(entriesOf).map(([column, direction]) => ({ column, direction })),
    limit,
    offset: (page_num - 1) * limit,
  });
  return { total, results: rows.map(testTaskOnWire) };
}

/** `Object.entries` that keeps the key type: zod has let only these columns through. */
const entriesOf = <V>(record: Partial<Record<TestTaskColumn, V>>): [TestTaskColumn, V][] =>
  Object.entries(record) as [TestTaskColumn, V][];

function checkedFilter(column: TestTaskColumn, value: string): TestTaskFilter {
  if (column === 'task_id' && !pathId.safeParse(value).success)
    throw invalidField('filter', 'task_id must be an integer id');
  if (
    (column === 'created_at' || column === 'updated_at') &&
    !day.safeParse(value).success &&
    !instant.safeParse(value).success
  ) {
    throw invalidField('filter', `${column} must be a date YYYY-MM-DD or an ISO 8601 instant`);
  }
  return { column, value };
}
