import type { Queryable } from '../platform/db/client.ts';
import { moveTask, taskHasEnded, type TaskEvent } from './states/task-state.ts';
import { updateTaskState, type LockedTask } from './queries/tasks.ts';

/** Moves a locked task along the table; returns it as it then is. An event without a move in this state changes nothing. */
export async function changeTaskState<T extends Pick<LockedTask, 'id' | 'state'>>(
  sql: Queryable,
  task: T,
  event: TaskEvent,
  { now, message = null }: { now: Date; message?: string | null },
): Promise<T> {
  const to = moveTask(task.state, event);
  if (to === task.state) return task;
  const moved = await updateTaskState(sql, {
    id: task.id,
    from: task.state,
    to,
    now,
    ended: taskHasEnded(to),
    message,
  });
  if (!moved) throw new Error(`task ${task.id} left ${task.state} under its lock`);
  return { ...task, state: to };
}
