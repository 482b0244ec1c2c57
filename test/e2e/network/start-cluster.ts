import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { networkEvent, type NetworkEvent } from '../../../agent/run/network-event.ts';
import { clusterNetworkResults, type ClusterNetworkResults } from '../../../coordinator/contract/cluster-network.ts';
import type { JobDetail } from '../../../coordinator/contract/job.ts';
import type { Lifetime } from '../../support/lifetime.ts';
import { MEASURED, type NodeProcess } from '../../support/netns-lab/lab-node.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { until } from '../../support/until.ts';
import { root } from '../deployment.ts';
import type { ClusterSite } from './cluster-site.ts';

const agent = join(root, 'dist', 'gpumark-agent');
const POLL_MS = 250;
const STOP_DEADLINE_MS = 20_000;
const over = new Set(['completed', 'failed', 'skipped']);

export interface ClusterOptions {
  /** overrides the lab's defaults, which keep the load of many nodes on two cores low */
  config?: Record<string, unknown>;
  /** nodes of the fabric that are started at the beginning; default: all */
  starting?: readonly number[];
  /** how many nodes the job waits for; default: those that are started */
  node_count?: number;
  /** pause between starting two agents */
  stagger_ms?: number;
  clockAhead?: (number: number) => number;
  /** for clones, the node whose machine id this node has; default: its own */
  machineOf?: (number: number) => number;
  /** additional environment variables for the agents */
  env?: Record<string, string>;
  envOf?: (number: number) => Record<string, string>;
  /** Agents that continue with quick_mark. The others are stopped when they have finished the network. Default: none */
  goesOn?: (number: number) => boolean;
}

export interface Cluster {
  job_id: string;
  token: string;
  /** the agents of all nodes that were started, by the number in the fabric */
  agents: Map<number, NodeProcess>;
  /** network events that the agents reported, oldest first */
  events: { node: number; event: NetworkEvent }[];
  startAgent: (number: number) => NodeProcess;
  /** Resolves as soon as any agent has reported such an event. */
  untilEvent: (wanted: (event: NetworkEvent, node: number) => boolean, hangMs?: number) => Promise<void>;
  /** Resolves once the node's agent has printed a line that matches. */
  untilSaid: (node: number, wanted: RegExp) => Promise<void>;
  /** Waits until cluster_network has ended according to the API. */
  result: (hangMs?: number) => Promise<ClusterResult>;
  numberOf: (machine_uuid: string) => number;
}

export interface ClusterResult {
  job: JobDetail;
  network: ClusterNetworkResults;
  /** from the node number in the run to the number in the fabric */
  fabricNumber: (node: number) => number;
}

/** Creates a job that begins with cluster_network and starts the packaged agent in each node. */
export async function startCluster(
  { t, site }: { t: Lifetime; site: ClusterSite },
  fabric: Fabric,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const starting = options.starting ?? fabric.nodes.map(({ number }) => number);
  const config = { ping_pause_ms: 5, slot_seconds: 2, streams: 1, join_seconds: 60, ...options.config };
  const job = await site.deployment.customer.createJob({
    benchmarks: [{ benchmark_id: 'cluster_network', config }, 'quick_mark'],
    node_count: options.node_count ?? starting.length,
  });
  // The machine id ends in the node's number in the fabric.
  const family = randomUUID().slice(0, 24);
  const agents = new Map<number, NodeProcess>();
  const events: Cluster['events'] = [];
  const lines: { node: number; line: string }[] = [];
  t.after(() => stopAll(agents));
  const startAgent = (number: number): NodeProcess => {
    const ahead = options.clockAhead?.(number);
    const words = ['--json', '--net-interface', MEASURED, '--max-seconds', '2'];
    const started = fabric.node(number).start(agent, words, {
      env: {
        GPUMARK_API_KEY: job.token,
        GPUMARK_MACHINE_ID: family + String(options.machineOf?.(number) ?? number).padStart(12, '0'),
        GPUMARK_STATE_DIR: join(site.deployment.folder, `${job.id}-${number}`),
        ...options.env,
        ...options.envOf?.(number),
      },
      ...(ahead === undefined ? {} : { clock_ahead_seconds: ahead }),
      onLine: (line) => {
        lines.push({ node: number, line });
        const said: unknown = JSON.parse(line);
        const event = networkEvent.safeParse(said);
        if (event.success) events.push({ node: number, event: event.data });
        if (startedUp.safeParse(said).success) started.favour();
        if (endOfNetwork.safeParse(said).success && options.goesOn?.(number) !== true) started.signal('SIGTERM');
      },
    });
    agents.set(number, started);
    return started;
  };
  for (const number of starting) {
    startAgent(number);
    await delay(options.stagger_ms ?? 0);
  }
  const numberOf = (machine_uuid: string): number => Number(machine_uuid.slice(24));
  const untilEvent: Cluster['untilEvent'] = async (wanted, hangMs) => {
    const came = () => events.some(({ node, event }) => wanted(event, node));
    await until('an event of the network', came, POLL_MS, hangMs);
  };
  return {
    job_id: job.id,
    token: job.token,
    agents,
    events,
    startAgent,
    numberOf,
    untilEvent,
    untilSaid: async (number, wanted) => {
      const came = () => lines.some(({ node, line }) => node === number && wanted.test(line));
      await until(`node ${number} says ${wanted}`, came, POLL_MS);
    },
    result: async (hangMs) => {
      // Agents are notified of the end; polling for the whole result would slow the coordinator down.
      const ended = await untilEvent(({ outcome }) => outcome !== null, hangMs)
        .then(() => untilEnded(site, job.id, hangMs))
        .catch((cause: unknown) => {
          throw new Error(`last events of the agents: ${JSON.stringify(events.slice(-3))}`, { cause });
        });
      return { ...ended, fabricNumber: (node) => numberOf(ended.network.nodes[node]?.machine_uuid ?? '') };
    },
  };
}

/** The last step an agent reports before it joins: until then its start-up would disturb the windows of others. */
const startedUp = z.object({ type: z.literal('step'), step: z.literal('inventory'), state: z.literal('done') });
/** Reported by an agent when its part of the network benchmark is over. */
const endOfNetwork = z.object({ type: z.literal('measurement'), benchmark_id: z.literal('cluster_network') });

async function untilEnded(
  site: ClusterSite,
  id: string,
  hangMs: number | undefined,
): Promise<Pick<ClusterResult, 'job' | 'network'>> {
  const read = async (): Promise<JobDetail | null> => {
    // The coordinator may be down for a while: some scenarios kill it.
    const job = await site.deployment.customer.getJob(id).catch(() => null);
    return over.has(job?.benchmark_results['cluster_network']?.state ?? '') ? job : null;
  };
  const job = await until('the end of cluster_network', read, POLL_MS, hangMs);
  const result = job.benchmark_results['cluster_network'] ?? assert.fail('the job has no result for cluster_network');
  assert.equal(result.state, 'completed', result.error_message ?? 'cluster_network');
  return { job, network: clusterNetworkResults.parse(result.results) };
}

/** SIGTERM lets agents tell the coordinator that they leave; a stopped one must be continued first. */
async function stopAll(agents: ReadonlyMap<number, NodeProcess>): Promise<void> {
  for (const { signal } of agents.values()) {
    signal('SIGTERM');
    signal('SIGCONT');
  }
  const all = Promise.all([...agents.values()].map(({ ended }) => ended));
  await Promise.race([all, delay(STOP_DEADLINE_MS, undefined, { ref: false })]);
  for (const { signal } of agents.values()) signal('SIGKILL');
  await all;
}
