import {
  completeRoute,
  currentJobRoute,
  failRoute,
  heartbeatRoute,
  inventoryRoute,
  registerRoute,
  resultsRoute,
} from '../../contract/agent-routes.ts';
import type { Platform } from '../../platform/context.ts';
import type { Area } from '../../platform/http/area.ts';
import { createBeatBatch } from './beat-batch.ts';
import { beat } from './beat.ts';
import { completeTask } from './complete-task.ts';
import { currentJob } from './current-job.ts';
import { deliverInventory } from './deliver-inventory.ts';
import { deliverResult } from './deliver-result.ts';
import { giveUpTask } from './give-up-task.ts';
import { registerNode } from './register-node.ts';

export function bindAgent(area: Area, platform: Platform): void {
  const renewLease = createBeatBatch(platform);
  area.on(registerRoute, (context, { body }) => registerNode(context, body));
  area.onFast(heartbeatRoute, (context, { body }) => beat(context, body, renewLease));
  area.on(inventoryRoute, (context, { body }) => deliverInventory(context, body));
  area.on(resultsRoute, (context, { body }) => deliverResult(context, body));
  area.on(completeRoute, (context, { body }) => completeTask(context, body));
  area.on(failRoute, (context, { body }) => giveUpTask(context, body));
  area.on(currentJobRoute, (context) => currentJob(context));
}
