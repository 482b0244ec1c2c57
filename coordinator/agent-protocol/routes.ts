import {
  completeRoute,
  currentJobRoute,
  failRoute,
  heartbeatRoute,
  inventoryRoute,
  registerRoute,
  resultsRoute,
} from '../contract/agent-routes.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { createBeatBatch } from '../lifecycle/beat-batch.ts';
import { beat } from './beat.ts';
import { completeTask, giveUpTask } from './finish-task.ts';
import { currentJob } from './current-job.ts';
import { deliverInventory, registerNode } from './register-node.ts';
import { deliverResult } from './deliver-result.ts';
import { withSecret } from '../lifecycle/session.ts';

/** The operations for agents, in the dialect `error`. */
export function agentProtocolArea(platform: Platform): Area {
  const area = createArea(platform, 'error');
  const renewLease = createBeatBatch(platform);
  area.on(registerRoute, (context, { body }) => registerNode(context, body));
  area.on(heartbeatRoute, (context, input) => beat(context, withSecret(input), renewLease));
  area.on(inventoryRoute, (context, input) => deliverInventory(context, withSecret(input)));
  area.on(resultsRoute, (context, input) => deliverResult(context, withSecret(input)));
  area.on(completeRoute, (context, input) => completeTask(context, withSecret(input)));
  area.on(failRoute, (context, input) => giveUpTask(context, withSecret(input)));
  area.on(currentJobRoute, (context, { headers }) => currentJob(context, headers['x-task-secret'] ?? null));
  return area;
}
