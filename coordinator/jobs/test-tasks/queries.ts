import type { Fragment } from 'postgres';
import type { TestTaskColumn } from '../../contract/test-task.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface TestTaskRow {
  id: string;
  machine_uuid: string;
  machine_inventory: unknown[];
  description: string | null;
  state: string;
  failed_message: string | null;
  extra: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

type NewTestTask = Omit<TestTaskRow, 'failed_message'> & { customer_id: string };

export async function insertTestTask(sql: Queryable, task: NewTestTask): Promise<TestTaskRow | undefined> {
  const row = { ...task, machine_inventory: sql.json(task.machine_inventory), extra: sql.json(task.extra) };
  return maybeOne(await sql<TestTaskRow[]>`insert into test_task ${sql(row)} returning ${columns(sql)}`);
}

/** Which record: of one customer or, if `customerId` is null, of any; of `machineUuid` if it is given. */
export interface TestTaskKey {
  id: string;
  customerId: string | null;
  machineUuid: string | null;
}

export async function findTestTask(sql: Queryable, key: TestTaskKey): Promise<TestTaskRow | undefined> {
  const row = maybeOne(await sql<TestTaskRow[]>`select ${columns(sql)} from test_task where ${isKey(sql, key)}`);
  return row;
}

/** Null leaves a field as it is. Any state can follow any other: the record belongs to its writer, so no moves are checked. */
export async function updateTestTask(
  sql: Queryable,
  key: TestTaskKey,
  change: { state: string | null; failedMessage: string | null; description: string | null; now: Date },
): Promise<TestTaskRow | undefined> {
  const row = maybeOne(
    await sql<TestTaskRow[]>`
    update test_task set state = coalesce(${change.state}, state),
      failed_message = coalesce(${change.failedMessage}, failed_message),
      description = coalesce(${change.description}, description), updated_at = ${change.now}
    where ${isKey(sql, key)} returning ${columns(sql)}`,
  );
  return row;
}

/** Returns the customer whose record it was; null if there is no such record. */
export async function markTestTaskDeleted(tx: Queryable, key: TestTaskKey, now: Date): Promise<string | null> {
  const rows = await tx<{ customer_id: string }[]>`
    update test_task set deleted_at = ${now} where ${isKey(tx, key)} returning customer_id`;
  return maybeOne(rows)?.customer_id ?? null;
}

export interface TestTaskFilter {
  column: TestTaskColumn;
  value: string;
}

export async function selectTestTasks(
  sql: Queryable,
  page: {
    customerId: string | null;
    filters: TestTaskFilter[];
    order: { column: TestTaskColumn; direction: 'asc' | 'desc' }[];
    limit: number;
    offset: number;
  },
): Promise<{ total: number; rows: TestTaskRow[] }> {
  const where = [...Map.groupBy(page.filters, ({ column }) => column).values()].reduce(
    (all, same) =>
      sql`${all} and (${same.reduce((any, filter) => sql`${any} or ${matches(sql, filter)}`, sql`false`)})`,
    sql`deleted_at is null and (${page.customerId}::int8 is null or customer_id = ${page.customerId}::int8)`,
  );
  const order = page.order.reduce(
    (all, { column, direction }) => {
      const by = columnOf(sql, column);
      return direction === 'asc' ? sql`${all} ${by} asc,` : sql`${all} ${by} desc,`;
    },
    sql``,
  );
  const rows = await sql<(TestTaskRow & { total: number; id: string | null })[]>`
    select matching.total, page.*
    from (select count(*)::int as total from test_task where ${where}) matching
    left join lateral (
      select ${columns(sql)} from test_task where ${where}
      order by ${order} id desc limit ${page.limit} offset ${page.offset}
    ) page on true`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

const columns = (sql: Queryable): Fragment => sql`
  id, machine_uuid, machine_inventory, description, state, failed_message, extra, created_at, updated_at`;

const isKey = (sql: Queryable, key: TestTaskKey): Fragment => sql`
  id = ${key.id} and deleted_at is null
  and (${key.customerId}::int8 is null or customer_id = ${key.customerId}::int8)
  and (${key.machineUuid}::text is null or machine_uuid = ${key.machineUuid}::text)`;

/** A description is searched for the text, a time matches a whole day or an exact instant, other columns match if equal. */
function matches(sql: Queryable, { column, value }: TestTaskFilter): Fragment {
  const name = columnOf(sql, column);
  if (column === 'description') return sql`position(lower(${value}::text) in lower(${name})) > 0`;
  if (column === 'task_id') return sql`${name} = ${value}::int8`;
  if (column !== 'created_at' && column !== 'updated_at') return sql`${name} = ${value}::text`;
  return value.length === 'YYYY-MM-DD'.length
    ? sql`(${name} >= ${value}::date and ${name} < ${value}::date + 1)`
    : sql`${name} = ${value}::timestamptz`;
}

function columnOf(sql: Queryable, column: TestTaskColumn): Fragment {
  const named: Record<TestTaskColumn, Fragment> = {
    task_id: sql`id`,
    machine_uuid: sql`machine_uuid`,
    state: sql`state`,
    description: sql`description`,
    created_at: sql`created_at`,
    updated_at: sql`updated_at`,
  };
  return named[column];
}
