import type { TestTask } from '../../contract/test-task.ts';
import { notFound } from '../../platform/errors.ts';
import type { TestTaskRow } from './queries.ts';

/** Row -> wire; no row is `not_found`, also where it is another customer's. */
export function testTaskOnWire(row: TestTaskRow | undefined): TestTask {
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
