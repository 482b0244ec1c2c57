import {
  deleteTestTaskRoute,
  listTestTasksRoute,
  registerTestTaskRoute,
  testTaskInfoRoute,
  testTaskReportPostRoute,
  testTaskReportPutRoute,
  updateTestTaskRoute,
} from '../../contract/test-task.ts';
import type { Platform } from '../../platform/context.ts';
import { createArea, type Area } from '../../platform/http/area.ts';
import {
  deleteTestTask,
  getTestTask,
  listTestTasks,
  registerTestTask,
  updateTestTask,
  testTaskReport,
} from './test-tasks.ts';

/** Registration records of agents, in the dialect `detail`. */
export function testTasksArea(platform: Platform): Area {
  const area = createArea(platform, 'detail');
  area.on(registerTestTaskRoute, (context, { body }) => registerTestTask(context, body));
  area.on(updateTestTaskRoute, (context, { body }) => updateTestTask(context, body));
  area.on(testTaskInfoRoute, (context, { body }) => getTestTask(context, body));
  area.on(listTestTasksRoute, (context, { body }) => listTestTasks(context, body));
  area.on(deleteTestTaskRoute, (context, { body }) => deleteTestTask(context, body));
  area.on(testTaskReportPostRoute, (context, { body }) => testTaskReport(context, body.id));
  area.on(testTaskReportPutRoute, (context, { body }) => testTaskReport(context, body.id));
  return area;
}
