import { getTaskRoute, listTasksRoute } from '../../contract/task.ts';
import type { Area } from '../../platform/http/area.ts';
import { getTask } from './get-task.ts';
import { listTasks } from './list-tasks.ts';

export function bindTasks(area: Area): void {
  area.on(listTasksRoute, (context, { query }) => listTasks(context, query));
  area.on(getTaskRoute, (context, { params, query }) =>
    getTask(context, { taskId: params.task_id, displayNames: query.include_display_name }),
  );
}
