import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { errorBody } from './errors.ts';
import { json, speaks } from './operation.ts';

/** What the agent is built for. */
export const agentPlatforms = ['linux-x64', 'linux-arm64'] as const;
export type AgentPlatform = (typeof agentPlatforms)[number];

/** Ending of the address that answers with the hash instead of the file. */
export const HASH = '.sha256';
/** Name that the file has beside its hash. */
export const AGENT_NAME = 'gpumark-agent';

const binary = { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } };

export const getAgentRoute = createRoute({
  ...access.public,
  ...speaks('error', 'Downloads'),
  'x-choice': true,
  operationId: 'get_agent',
  summary: 'The agent of this version, one executable file; with .sha256 its hash, as sha256sum -c reads it; no login',
  method: 'get',
  path: '/agent/{file}',
  request: {
    params: z.object({ file: z.enum(agentPlatforms.flatMap((name) => [name, `${name}${HASH}` as const])) }),
    headers: z.object({
      'if-none-match': z.string().optional(),
      range: z.string().optional().meta({ description: 'one range of bytes, to resume a download' }),
      'if-range': z.string().optional().meta({ description: 'the ETag; if it differs, the whole file comes' }),
    }),
  },
  responses: {
    200: {
      description: 'The file, or its hash',
      content: { ...binary, 'text/plain': { schema: z.string() } },
    },
    206: { description: 'The range', content: binary },
    304: { description: 'The client already has it' },
    400: json(errorBody, 'There is no such processor type: PARAMETER_INCORRECT_VALUE'),
    404: json(errorBody, 'This coordinator has no agent for it, and how to add one: RESOURCE_NOT_FOUND'),
    416: json(errorBody, 'The range begins beyond the end: RANGE_NOT_SATISFIABLE'),
    503: json(errorBody, 'Too many downloads at once; Retry-After says when: SERVICE_UNAVAILABLE'),
  },
});
