import { z } from 'zod';
import { networkMatrixResponse, networkPollResponse } from '../../coordinator/contract/network-protocol.ts';

const { ends_at_ms: _, ...counts } = networkPollResponse.shape.progress.shape;
const { nodes, cells } = networkMatrixResponse.shape;

/** State of cluster_network; emitted whenever it changes. */
export const networkEvent = z.object({
  type: z.literal('network'),
  item: z.int().meta({ description: "place in the job's sequence, from 0" }),
  node: z.int().meta({ description: 'number of this node within the run' }),
  state: networkPollResponse.shape.state,
  ...counts,
  ends_in_seconds: z.number().nullable().meta({ description: 'of this phase, as far as is known' }),
  outcome: z.enum(['completed', 'failed', 'skipped']).nullable(),
  message: z.string().nullable(),
});
export type NetworkEvent = z.infer<typeof networkEvent>;

/** With --net-matrix: the links of the job that were measured since the last such event. */
export const linksEvent = z.object({ type: z.literal('links'), item: z.int(), nodes, cells });
export type LinksEvent = z.infer<typeof linksEvent>;
