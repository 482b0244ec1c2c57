import type { z } from 'zod';
import { agentPaths, completeRequest, inventoryRequest, receivedResults } from './agent-protocol.ts';
import { networkPaths, networkReportRequest } from './network-protocol.ts';
import { registerTestTaskRequest } from './test-task-register.ts';

/**
 * The schema of every operation that takes bodies above LARGE_BODY, by method and path. Worker threads check such bodies;
 * they load this file, not the router.
 */
export const largeBodies: Readonly<Record<string, z.ZodType>> = {
  [`POST ${agentPaths.inventory}`]: inventoryRequest,
  [`POST ${agentPaths.results}`]: receivedResults,
  [`POST ${agentPaths.complete}`]: completeRequest,
  [`POST ${networkPaths.report}`]: networkReportRequest,
  'POST /api/gpu-mark/test-task/register': registerTestTaskRequest,
};
