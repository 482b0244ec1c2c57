import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { networkEvent, type NetworkEvent } from '../../../agent/ui/network-event.ts';
import { clusterNetworkResults, type ClusterNetworkResults } from '../../../coordinator/contract/cluster-network.ts';
import type { JobDetail } from '../../../coordinator/contract/job.ts';
import { MEASURED, type NodeProcess } from '../../support/netns-lab/lab-node.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { root } from '../deployment.ts';
import type { ClusterSite } from './cluster-site.ts';

const agent = join(root, 'dist', 'gpumark-agent');
const POLL_MS = 250;
const STOP_DEADLINE_MS = 20_000;
const over = new Set(['completed', 'failed', 'skipped']);

export interface ClusterOptions {
  /** over the lab's own, which keep many nodes quiet on two cores */
  config?: Record<string, unknown>;
  /** nodes of the fabric that take part from the start; default: all */
  starting?: readonly number[];
  /** how many the job waits for; default: those that start */
  node_count?: number;
  /** pause between the starts of two agents */
  stagger_ms?: number;
  clockAhead?: (number: number) => number;
  /** node -> whose machine id it has, for clones; default: its own */
  machineOf?: (number: number) => number;
  /** more of the agents' environment */
  env?: Record<string, string>;
  envOf?: (number: number) => Record<string, string>;
  /** Absent: agents are stopped when they are done with the network, whose tests do not wait for quick_mark. */
  with_quick_mark?: boolean;
}

/** The part of node:test's context that is needed. */
interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

export interface Cluster {
  job_id: string;
  /** of every node that was started, by its number in the fabric */
  agents: Map<number, NodeProcess>;
  /** what the agents said of the network, oldest first */
  events: { node: number; event: NetworkEvent }[];
  startAgent: (number: number) => NodeProcess;
  /** Resolves at the first such event of any agent; rejects after the deadline. */
  untilEvent: (wanted: (event: NetworkEvent) => boolean, deadlineMs: number) => Promise<void>;
  /** Waits for the end of cluster_network as the API shows it. */
  result: (deadlineMs: number) => Promise<ClusterResult>;
  numberOf: (machine_uuid: string) => number;
}

export interface ClusterResult {
  job: JobDetail;
  network: ClusterNetworkResults;
  /** run's own node number -> number in the fabric */
  fabricNumber: (node: number) => number;
}

/** A job with cluster_network first and the packaged agent in each node, at work from now on. */
export async function startCluster(
  t: Lifetime,
  site: ClusterSite,
  fabric: Fabric,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const starting = options.starting ?? fabric.nodes.map(({ number }) => number);
  const config = { ping_pause_ms: 5, slot_seconds: 3, streams: 1, join_seconds: 60, ...options.config };
  const job = await site.deployment.customer.createJob({
    benchmarks: [{ benchmark_id: 'cluster_network', config }, 'quick_mark'],
    node_count: options.node_count ?? starting.length,
  });
  // The machine's id ends in the node's number in the fabric.
  const family = randomUUID().slice(0, 24);
  const agents = new Map<number, NodeProcess>();
  const events: Cluster['events'] = [];
  t.after(() => stopAll(agents));
  const startAgent = (number: number): NodeProcess => {
    const ahead = options.clockAhead?.(number);
    const words = ['--json', '--net-interface', MEASURED, '--max-seconds', '2'];
    let joined = false;
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
        const said: unknown = JSON.parse(line);
        const event = networkEvent.safeParse(said);
        if (event.success) events.push({ node: number, event: event.data });
        if (event.success && !joined) started.favour();
        joined ||= event.success;
        if (endOfNetwork.safeParse(said).success && options.with_quick_mark !== true) started.signal('SIGTERM');
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
  return {
    job_id: job.id,
    agents,
    events,
    startAgent,
    numberOf,
    untilEvent: (wanted, deadlineMs) =>
      until(deadlineMs, 'event of the network', () => Promise.resolve(events.some(({ event }) => wanted(event)))),
    result: async (deadlineMs) => {
      const ended = await untilEnded(site, job.id, deadlineMs, () => JSON.stringify(events.slice(-3)));
      return { ...ended, fabricNumber: (node) => numberOf(ended.network.nodes[node]?.machine_uuid ?? '') };
    },
  };
}

/** What an agent says when its part of the network is over. */
const endOfNetwork = z.object({ type: z.literal('measurement'), benchmark_id: z.literal('cluster_network') });

async function untilEnded(
  site: ClusterSite,
  id: string,
  deadlineMs: number,
  lastSaid: () => string,
): Promise<Pick<ClusterResult, 'job' | 'network'>> {
  let job: JobDetail | undefined;
  const found = () => job?.benchmark_results['cluster_network'];
  const read = async (): Promise<boolean> => {
    // The coordinator may be away for a while: a fault like others.
    job = (await site.deployment.customer.getJob(id).catch(() => undefined)) ?? job;
    return over.has(found()?.state ?? '');
  };
  await until(
    deadlineMs,
    () => `end of cluster_network (${JSON.stringify(found())?.slice(0, 500)}; ${lastSaid()})`,
    read,
  );
  const result = found();
  assert.ok(job !== undefined && result !== undefined);
  assert.equal(result.state, 'completed', result.error_message ?? 'cluster_network');
  return { job, network: clusterNetworkResults.parse(result.results) };
}

async function until(
  deadlineMs: number,
  what: string | (() => string),
  reached: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await reached())) {
    if (performance.now() > deadline) {
      throw new Error(`not within ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await delay(POLL_MS);
  }
}

/** SIGTERM lets them tell the coordinator that they go; one that was stopped must wake up for it. */
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
