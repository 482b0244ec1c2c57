import { getAgentRoute } from '../../contract/agent-download.ts';
import type { Platform } from '../context.ts';
import { createArea, type Area } from '../http/area.ts';
import { agentServer } from './serve-agent.ts';

/** Downloads of the agent. */
export function agentFilesArea(platform: Platform): Area {
  const area = createArea(platform, 'error');
  area.on(getAgentRoute, agentServer());
  return area;
}
