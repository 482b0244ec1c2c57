import type { z } from 'zod';
import type { agentJob } from '../contract/agent-protocol.ts';
import type { LockedJob } from '../lifecycle/queries/jobs.ts';

export type AgentJobRow = Pick<
  LockedJob,
  'id' | 'name' | 'state' | 'node_count' | 'current_nodes' | 'benchmark_sequence' | 'expires_at'
>;

/** The agent's view of its job. */
export const agentJobOf = (job: AgentJobRow): z.input<typeof agentJob> => ({
  id: job.id,
  name: job.name,
  state: job.state,
  node_count: job.node_count,
  current_nodes: job.current_nodes,
  benchmark_sequence: job.benchmark_sequence,
  expires_at: job.expires_at.toISOString(),
});
