import type { ListTasksQuery, TaskPage } from '../../contract/task.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { decodeCursor, encodeCursor } from '../listing/cursor.ts';
import { selectTaskPage, taskSortKinds, type TaskRow } from './queries.ts';
import { tasksOnWire } from './task-on-wire.ts';

/** One page of the caller's tasks; by `cursor` every task that was there when the walk began comes exactly once. */
export async function listTasks(context: Context, query: ListTasksQuery): Promise<TaskPage> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, query, taskSortKinds[query.sort_by]);
  const { total, rows } = await selectTaskPage(context.sql, query, {
    customerId: visibleCustomer(context.actor),
    cursor,
  });
  const shown = rows.slice(0, query.per_page);
  const page = cursor?.page ?? query.page;
  return {
    data: await tasksOnWire(context, shown, query.include_results),
    pagination: {
      page,
      per_page: query.per_page,
      total,
      pages: Math.ceil(total / query.per_page),
      next_cursor: rows.length > query.per_page ? nextCursor(query, shown.at(-1), page) : null,
    },
  };
}

function nextCursor(query: ListTasksQuery, last: TaskRow | undefined, page: number): string | null {
  if (!last) return null;
  const value = last[query.sort_by];
  return encodeCursor(query, {
    value: value instanceof Date ? value.toISOString() : value,
    id: last.id,
    page: page + 1,
  });
}
