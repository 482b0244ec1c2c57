import type { Judgement } from '../../../coordinator/contract/judgement.ts';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import type { TestApp } from '../../support/app.ts';
import { makeUser, type Json, type TestUser } from '../../support/client.ts';
import { at, getJob, makeJob, Node, type MadeJob } from '../jobs/node.ts';
import { healthyFabric, type Fabric } from './fabric.ts';
import { SimulatedAgent } from './simulated-agent.ts';

export interface NetworkJob {
  test: TestApp;
  user: TestUser;
  job: MadeJob;
  nodes: Node[];
  agents: SimulatedAgent[];
  fabric: Fabric;
}

interface Options {
  /** default: as many as `count` */
  nodeCount?: number;
  config?: Record<string, unknown>;
  fabric?: Fabric;
  agent?: Partial<ConstructorParameters<typeof SimulatedAgent>[0]>;
}

/** Slots as short as they may be. */
const quick = { slot_seconds: 2, collective: 'off' };

/** A job with cluster_network whose nodes have registered, and an agent for each, not yet running. */
export async function networkJob(test: TestApp, count: number, options: Options = {}): Promise<NetworkJob> {
  const user = await makeUser(test);
  const job = await makeJob(test, user, {
    benchmarks: [{ benchmark_id: 'cluster_network', config: { ...quick, ...options.config } }],
    node_count: options.nodeCount ?? count,
  });
  const nodes = Array.from({ length: count }, () => new Node(test, job));
  for (const node of nodes) await node.register();
  const fabric = options.fabric ?? healthyFabric();
  const agents = nodes.map((node) => agentOf(node, fabric, options.agent));
  return { test, user, job, nodes, agents, fabric };
}

/** quick_mark was not asked for, so it is first and the links second. */
export const ITEM = 1;

export const agentOf = (node: Node, fabric: Fabric, given: Options['agent'] = {}): SimulatedAgent =>
  new SimulatedAgent({
    post: node.post,
    identity: { taskId: node.taskId, epoch: node.epoch, item: ITEM },
    fabric,
    ...given,
  });

/** The seats are the places in `agents`: they join one after the other, then all run at once until the run has ended. */
export async function runAll({ agents }: Pick<NetworkJob, 'agents'>): Promise<void> {
  for (const agent of agents) await agent.join();
  await Promise.all(agents.map((agent) => agent.run()));
}

/** Ends every task, so that the job ends; answers the job as its owner sees it. */
export async function endJob({ test, user, job, nodes }: NetworkJob): Promise<Json> {
  for (const node of nodes) {
    await node.deliver();
    await node.complete();
  }
  return getJob(test, user, job.id);
}

export const networkResult = (job: Json): Json | undefined => at(job, 'benchmark_results', 'cluster_network');

export const joinBody = (node: Node, given: Record<string, unknown> = {}) => ({
  task_id: node.taskId,
  epoch: node.epoch,
  item: ITEM,
  endpoints: [],
  capabilities: { congestion_control: null, locked_memory_kib: null, rdma: null, collective: null, notes: [] },
  ...given,
});

export const join = (node: Node, given: Record<string, unknown> = {}) =>
  node.post(networkPaths.join, joinBody(node, given));

/** What the findings of the job say, worst first. */
export async function evidenceOfJob({ test, job }: Pick<NetworkJob, 'test' | 'job'>): Promise<string[]> {
  const [row] = await test.platform.sql<
    { judgement: Judgement | null }[]
  >`select judgement from job where id = ${job.id}`;
  return (row?.judgement?.findings ?? []).map(({ evidence }) => evidence);
}

/** All that is stored of a run's nodes and links. */
export const stateOfRun = async ({ platform: { sql } }: TestApp, jobId: string): Promise<string> =>
  JSON.stringify([
    await sql`select * from network_node where job_id = ${jobId} order by node`,
    await sql`select * from network_link where job_id = ${jobId} order by link, attempt`,
  ]);
