import type { ListTasksQuery, TaskPage } from '../../contract/task.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { sizeCaps } from '../../contract/size-caps.ts';
import type { Context } from '../../platform/context.ts';
import { jsonStream } from '../../platform/http/raw-json.ts';
import { decodeCursor, nextCursor } from '../listing/cursor.ts';
import { selectTaskPage, taskSortKinds, type TaskRow } from './queries.ts';
import { planTasks, taskPieces, tasksOnWire } from './task-on-wire.ts';

/**
 * One page of the caller's tasks; with `cursor` every task that existed when paging began is returned exactly once. With results
 * the answer is sent in pieces, and results beyond its size limit are left to the task's own operation.
 */
export async function listTasks(context: Context, query: ListTasksQuery): Promise<TaskPage | Response> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, query, taskSortKinds[query.sort_by]);
  const { total, rows } = await selectTaskPage(context.sql, query, {
    customerId: visibleCustomer(context.actor),
    cursor,
  });
  const shown = rows.slice(0, query.per_page);
  const page = cursor?.page ?? query.page;
  const pagination = {
    page,
    per_page: query.per_page,
    total,
    pages: Math.ceil(total / query.per_page),
    next_cursor: rows.length > query.per_page ? nextCursor(query, shown.at(-1), page) : null,
  };
  if (!query.include_results) return { data: await tasksOnWire(context, shown), pagination };
  return jsonStream(pageWithResults(context, shown, pagination));
}

async function* pageWithResults(context: Context, rows: TaskRow[], pagination: TaskPage['pagination']) {
  const planned = await planTasks(context, rows, sizeCaps.answerBytes);
  yield `{"pagination":${JSON.stringify(pagination)},"data":[`;
  yield* taskPieces(context, planned);
  yield ']}';
}
