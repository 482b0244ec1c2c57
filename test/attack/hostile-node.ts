import { randomUUID } from 'node:crypto';
import { agentPaths } from '../../coordinator/contract/agent-protocol.ts';
import { resultKey } from '../../coordinator/contract/result-key.ts';
import type { Answered, Call, Tenant } from './tenant.ts';

/** A node whose operator sends anything, with what the coordinator has given it. */
export interface HostileNode {
  taskId: string;
  machineUuid: string;
  post: (path: string, body: object) => Promise<Answered>;
  /** A completed quick_mark with this payload. */
  deliver: (payload: object, attempt?: number) => Promise<Answered>;
}

export async function createJob(tenant: Tenant, nodeCount: number): Promise<{ id: string; token: string }> {
  const body = { benchmarks: ['quick_mark'], node_count: nodeCount };
  const made = await tenant.call('POST', '/api/gpu-mark/v1/jobs', { body });
  if (made.status !== 201) throw new Error(`the job was refused: ${JSON.stringify(made.body)}`);
  return made.body as { id: string; token: string };
}

export async function joinJob(call: Call, job: { id: string; token: string }): Promise<HostileNode> {
  const machineUuid = randomUUID();
  const body = { machine_uuid: machineUuid, session_id: randomUUID(), agent_version: 'attack', protocol_version: 1 };
  const joined = await call('POST', agentPaths.register, { bearer: job.token, body });
  if (joined.status !== 200) throw new Error(`the node was refused: ${JSON.stringify(joined.body)}`);
  const { task_id, epoch, task_secret } = joined.body as { task_id: string; epoch: number; task_secret?: string };
  const headers: Record<string, string> = task_secret === undefined ? {} : { 'x-task-secret': task_secret };
  const post = (path: string, more: object) =>
    call('POST', path, { bearer: job.token, headers, body: { task_id, epoch, ...more } });
  return {
    taskId: task_id,
    machineUuid,
    post,
    deliver: (payload, attempt = 1) => {
      const keyed = { machine_uuid: machineUuid, benchmark_id: 'quick_mark', attempt, payload };
      const now = Date.now();
      return post(agentPaths.results, {
        ...keyed,
        result_key: resultKey(job.id, keyed),
        state: 'completed',
        started_at: new Date(now - 1000).toISOString(),
        ended_at: new Date(now).toISOString(),
        error_message: null,
        warnings: [],
      });
    },
  };
}
