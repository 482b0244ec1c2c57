import type { Queryable, Transaction } from '../../platform/db/client.ts';

const JOBS = 'job_id in (select id from job where customer_id = $1)';
const USERS = 'user_id in (select id from user_account where customer_id = $1)';
const EMAILS = 'select lower(email) from user_account where customer_id = $1';

interface CustomerTable {
  name: string;
  /** Which rows are the customer's; $1 is its id. */
  where: string;
  /** Columns that give access to something or reveal a password: deleted with the row, but never exported. */
  secret?: readonly string[];
}

/** Every table with data of a customer, referenced tables after referring ones: the order in which they can be emptied. */
export const customerTables: readonly CustomerTable[] = [
  { name: 'job_event', where: JOBS },
  { name: 'job_event_head', where: JOBS },
  { name: 'portal_share', where: 'customer_id = $1', secret: ['key'] },
  { name: 'network_seen', where: JOBS },
  { name: 'network_link', where: JOBS },
  { name: 'network_node', where: JOBS },
  { name: 'network_run', where: JOBS, secret: ['secret'] },
  { name: 'scoreboard_entry', where: 'customer_id = $1' },
  { name: 'benchmark_result', where: JOBS },
  { name: 'task_lease', where: 'task_id in (select id from task where customer_id = $1)' },
  { name: 'work_item', where: 'customer_id = $1' },
  { name: 'task', where: 'customer_id = $1', secret: ['secret_hash'] },
  // Deleting a task inserts a change, and adding up a change writes a count: both are deleted after the tasks.
  { name: 'machine_change', where: 'customer_id = $1' },
  { name: 'machine_runs', where: 'customer_id = $1' },
  { name: 'artifact', where: 'customer_id = $1' },
  { name: 'job', where: 'customer_id = $1', secret: ['token_id'] },
  { name: 'idempotency_key', where: 'customer_id = $1', secret: ['request_hash'] },
  { name: 'test_task', where: 'customer_id = $1' },
  {
    name: 'application_token',
    where: 'application_id in (select id from application where customer_id = $1)',
    secret: ['token_hash'],
  },
  { name: 'application', where: 'customer_id = $1', secret: ['secret_hash'] },
  { name: 'api_key', where: 'name_id in (select id from api_key_name where customer_id = $1)', secret: ['key_hash'] },
  { name: 'api_key_name', where: 'customer_id = $1' },
  { name: 'subscription', where: 'customer_id = $1' },
  { name: 'customer_terms', where: 'customer_id = $1' },
  // Failed sign-ins with an address that had no account then belong to no customer, but name that address.
  { name: 'audit_event', where: `customer_id = $1 or lower(subject) in (${EMAILS})` },
  { name: 'login_throttle', where: `split_part(subject, ':', 2) in (${EMAILS})` },
  { name: 'login_place', where: USERS },
  { name: 'portal_session', where: USERS, secret: ['token_hash'] },
  { name: 'sign_up', where: `lower(email) in (${EMAILS})`, secret: ['token_hash'] },
  { name: 'login_session', where: USERS, secret: ['refresh_id', 'token_hash'] },
  { name: 'password_link', where: USERS, secret: ['token_hash'] },
  { name: 'recovery_code', where: USERS, secret: ['code_hash'] },
  { name: 'second_factor', where: USERS, secret: ['secret'] },
  { name: 'user_account', where: 'customer_id = $1', secret: ['password_hash'] },
  { name: 'customer', where: 'id = $1' },
];

/** Rows as JSON, in batches, without the secret columns. */
export async function* rowsOf(tx: Transaction, table: CustomerTable, customerId: string): AsyncGenerator<string[]> {
  const text = `select (to_jsonb(t) - $2::text[])::text as row from "${table.name}" t where ${table.where}`;
  for await (const rows of tx.unsafe<{ row: string }[]>(text, [customerId, [...(table.secret ?? [])]]).cursor(500))
    yield rows.map(({ row }) => row);
}

/** Keys of all files that the customer's artifacts name. */
export async function filesOf(sql: Queryable, customerId: string): Promise<{ key: string; file_name: string }[]> {
  return sql<{ key: string; file_name: string }[]>`
    select distinct on (storage_key) storage_key as key, file_name from artifact where customer_id = ${customerId}
    order by storage_key`;
}

/** Locks the customer: nothing is added to it until the transaction ends. False if it does not exist. */
export async function lockCustomer(tx: Transaction, customerId: string): Promise<boolean> {
  return (await tx`select from customer where id = ${customerId} for update`).count === 1;
}

/** The sweep removes the files, except those whose bytes another customer has too. */
export async function scheduleFiles(tx: Transaction, customerId: string, now: Date): Promise<void> {
  await tx`
    insert into artifact_removal (storage_key, due_at)
    select distinct storage_key, ${now}::timestamptz from artifact where customer_id = ${customerId}
    on conflict (storage_key) do update set due_at = excluded.due_at, tries = 0`;
}

/** Lets this transaction delete audit events, with up to 10 minutes for each statement. */
export async function letEventsGo(tx: Transaction): Promise<void> {
  await tx`select set_config('gpumark.erasing', 'on', true), set_config('statement_timeout', '10min', true)`;
}

export async function deleteRows(tx: Transaction, { name, where }: CustomerTable, customerId: string): Promise<number> {
  return (await tx.unsafe(`delete from "${name}" where ${where}`, [customerId])).count;
}
