import type { z } from 'zod';
import { recordEvent } from '../../accounts/audit/record-event.ts';
import type { registerTestTaskRequest } from '../../contract/test-task-register.ts';
import type {
  identifyTestTaskRequest,
  listTestTasksRequest,
  TestTask,
  TestTaskColumn,
  updateTestTaskRequest,
} from '../../contract/test-task.ts';
import { day, instant, pathId } from '../../contract/wire.ts';
import { ownCustomer, visibleCustomer } from '../../platform/actor.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import type { Context } from '../../platform/context.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { findTask } from '../tasks/queries.ts';
import {
  findTestTask,
  insertTestTask,
  markTestTaskDeleted,
  selectTestTasks,
  type TestTaskFilter,
  type TestTaskKey,
  type TestTaskRow,
  updateTestTask as updateRow,
} from './queries.ts';

type Identified = z.output<typeof identifyTestTaskRequest>;

/** One record of the caller; with a machine_uuid it must be that machine's. Throws `not_found`. */
export const getTestTask = async (context: Context, input: Identified): Promise<TestTask> =>
  testTaskOnWire(await findTestTask(context.sql, testTaskKey(context, input)));

const testTaskKey = (context: Context, { task_id, machine_uuid }: Identified): TestTaskKey => ({
  id: task_id,
  customerId: visibleCustomer(context.actor),
  machineUuid: machine_uuid ?? null,
});

/** Row -> wire; no row is `not_found`, also if it is another customer's. */
function testTaskOnWire(row: TestTaskRow | undefined): TestTask {
  if (!row) throw notFound('Test task');
  return {
    task_id: row.id,
    machine_uuid: row.machine_uuid,
    machine_inventory: row.machine_inventory,
    description: row.description,
    state: row.state,
    failed_message: row.failed_message,
    extra: row.extra,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

type Request = z.output<typeof listTestTasksRequest>;

/** Records of the caller, by default newest first. Any value of a repeated key matches; different keys must all match. */
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

/** A new record of the caller's customer; properties the interface does not name are kept as sent. */
export async function registerTestTask(
  context: Context,
  { machine_uuid, machine_inventory = [], description, ...extra }: z.output<typeof registerTestTaskRequest>,
): Promise<TestTask> {
  const now = context.now();
  const row = await insertTestTask(context.sql, {
    id: context.newId(),
    customer_id: ownCustomer(context.actor),
    machine_uuid,
    machine_inventory,
    description: description ?? null,
    state: 'registered',
    extra,
    created_at: now,
    updated_at: now,
  });
  return testTaskOnWire(row);
}

/** Changes the fields given. The interface allows arrays for state and message: the last value counts. */
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

/** Link to the report of a job's task; null for a test task, which has none, and until the report is rendered. */
export async function testTaskReport(context: Context, id: string): Promise<{ pdf_report_url: string | null }> {
  const customerId = visibleCustomer(context.actor);
  const task = await findTask(context.sql, { id, customerId });
  if (task) return { pdf_report_url: await reportUrl(context, task) };
  if (await findTestTask(context.sql, { id, customerId, machineUuid: null })) return { pdf_report_url: null };
  throw notFound('Task');
}
