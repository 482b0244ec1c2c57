import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { attemptDescription, linkMeasurement, linkStatus, linkVerdict } from './cluster-network.ts';
import { errorBody } from './errors.ts';
import { jobLimits, jobPage } from './job.ts';
import { networkLimits } from './network-config.ts';
import { json, speaks } from './operation.ts';
import { pathId, preset, queryInt, sortOrder } from './wire.ts';

export const listLinksQuery = z.object({
  page: preset(queryInt(1, 1_000_000), 1),
  per_page: preset(queryInt(1, networkLimits.perPage), 300),
  attempt: queryInt(1, 1000).optional().meta({ description: attemptDescription }),
  status: linkStatus.optional(),
  verdict: linkVerdict.optional(),
  node: queryInt(0, jobLimits.nodes - 1)
    .optional()
    .meta({ description: 'number of a node at either end, from 0' }),
  item: queryInt(0, 20).optional().meta({
    description:
      'place of cluster_network in benchmark_sequence, from 0; default its last one, as in the job’s results',
  }),
  sort_by: z.enum(['link_id', 'bandwidth_gbps', 'latency_us']).default('link_id').meta({
    description: 'attempts without the figure come last',
  }),
  sort_order: sortOrder.default('asc'),
  format: z.enum(['json', 'csv']).default('json').meta({
    description: 'csv: all attempts that pass the filters in one file by link and attempt; page and sort do not apply',
  }),
});
export type ListLinksQuery = z.infer<typeof listLinksQuery>;

export const linkPage = z
  .object({
    results: z.array(linkMeasurement),
    pagination: jobPage.shape.pagination.omit({ next_cursor: true }),
  })
  .meta({ id: 'LinkPage' });
export type LinkPage = z.infer<typeof linkPage>;

const failure = (description: string) => json(errorBody, description);

export const listLinksRoute = createRoute({
  ...access.data,
  ...speaks('error', 'Benchmark jobs'),
  'x-choice': true,
  operationId: 'list_network_links',
  summary: 'Measured links of a cluster_network, one page or all as CSV',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs/{job_id}/network/links',
  request: { params: z.object({ job_id: pathId }), query: listLinksQuery },
  responses: {
    200: {
      description: 'One page; with format=csv the whole table as a file',
      content: { 'application/json': { schema: linkPage }, 'text/csv': { schema: z.string() } },
    },
    400: failure('A parameter is wrong: PARAMETER_INCORRECT_VALUE'),
    401: failure('No valid credential: CLIENT_TOKEN_INVALID'),
    403: failure('The credential does not open this: PERMISSION_DENIED'),
    404: failure('No such job: RESOURCE_NOT_FOUND'),
    429: failure('Too many requests; Retry-After says when'),
  },
});
