import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execa } from 'execa';
import { MEASURED } from '../../support/netns-lab/lab-node.ts';
import { until } from '../../support/until.ts';
import { root } from '../deployment.ts';
import { ProtocolNode } from '../protocol-node.ts';
import { assertLinks, assertNobodyNamed } from './findings.ts';
import type { Scenario } from './scenario.ts';
import { startCluster, type ClusterResult } from './start-cluster.ts';

/**
 * The collective benchmark of a whole job: packaged agents, the real coordinator, simulated cards and a simulated NCCL that
 * communicates over the lab's network. This tests how the figures travel, not how fast a GPU is.
 */
const built = (...folders: string[]): string => folders.map((name) => join(root, 'native/build/sim', name)).join(':');
const buildDriver = () => execa('make', ['-s', '-C', join(root, 'test/support/simulated-driver')]);
const cards = {
  GPUMARK_SIM_DEVICES: '2',
  GPUMARK_SIM_MEMORY_MIB: '32',
  GPUMARK_SIM_ARCH: 'sm_70',
  NCCL_SOCKET_IFNAME: MEASURED,
};
const withLibrary = { ...cards, LD_LIBRARY_PATH: built('nvidia', 'collective-nvidia') };
/** At 40 Mb/s the larger sizes would take half a minute. */
const RATE_MBIT = 100;
const [LATE, CLONE] = [2, 3];

export const collectiveOfTwo: Scenario = {
  title:
    '2 nodes of 2 simulated cards start without the missing nodes: all-reduce and broadcast, labelled as simulated; a late node and a clone are refused without disturbing the run',
  run: async (stage) => {
    await buildDriver();
    const fabric = await stage.site.lab.addFabric({ nodes: 4, rate_mbit: RATE_MBIT });
    const run = await startCluster(stage, fabric, {
      starting: [0, 1],
      node_count: 4,
      config: { join_seconds: 1 },
      env: withLibrary,
      machineOf: (number) => (number === CLONE ? 0 : number),
      // It keeps the job open, and its machine identity in use against the clone, until every message has arrived.
      goesOn: (number) => number === 0,
    });
    const { customer, baseUrl } = stage.site.deployment;
    // Registered nodes that are alive are waited for even after the join window; this one aborts once the others are in.
    const leaving = new ProtocolNode(baseUrl, run.token);
    assert.equal((await leaving.register()).status, 200);
    await until('both nodes have registered', async () => {
      await leaving.heartbeat('measuring');
      return (await customer.getJob(run.job_id)).current_nodes === 3;
    });
    assert.equal((await leaving.abort()).status, 200);
    await run.untilEvent(({ state }) => state !== 'joining');
    run.startAgent(LATE);
    run.startAgent(CLONE);
    const result = await run.result();
    await run.untilSaid(LATE, /cluster_network skipped: .*had started before this node joined/);
    await run.untilSaid(CLONE, /another agent holds this machine identity/);
    assertLinks(result, fabric);
    assertNobodyNamed(result);
    assert.deepEqual([result.network.node_count, result.network.missing_nodes], [2, 2]);
    assertCollective(result);
  },
};

function assertCollective({ network }: ClusterResult): void {
  const { collective, allreduce_bandwidth_gbs, broadcast_bandwidth_gbs } = network;
  assert.ok(collective !== null, network.notes.join());
  const { library, version, nodes, ranks, verified, simulated } = collective;
  assert.deepEqual([library, version, nodes, ranks, verified, simulated], ['nccl', '2.27.3', 2, 4, true, true]);
  const [all, copy] = [collective.all_reduce.at(-1), collective.broadcast.at(-1)];
  assert.ok(all && copy && all.bytes >= 1 << 20);
  // Bus bandwidth of an all-reduce over 4 ranks: 2 * 3 / 4 of bytes over time.
  assert.ok(Math.abs(all.bus_gbs / ((1.5 * all.bytes) / all.seconds / 1e9) - 1) < 1e-6);
  assert.equal(allreduce_bandwidth_gbs, all.bus_gbs);
  assert.equal(broadcast_bandwidth_gbs, copy.bus_gbs);
  // Both ranks of the second node receive every byte of a broadcast through the same cable, one after the other.
  const cable_gbs = RATE_MBIT / 8000;
  assert.ok(copy.bus_gbs < (cable_gbs / 2) * 1.1, `${copy.bus_gbs} GB/s through half of ${cable_gbs}`);
}

export const nodeWithoutLibrary: Scenario = {
  title:
    'a node without the library: figures for the collective are missing rather than zero, links are still measured',
  run: async (stage) => {
    await buildDriver();
    const fabric = await stage.site.lab.addFabric({ nodes: 2, rate_mbit: 40 });
    const run = await startCluster(stage, fabric, {
      env: cards,
      envOf: (number) => ({
        LD_LIBRARY_PATH: number === 0 ? built('nvidia', 'collective-nvidia') : built('nvidia'),
      }),
    });
    const result = await run.result();
    assertLinks(result, fabric);
    assertNoCollective(result);
  },
};

export const wrongSum: Scenario = {
  title: 'a wrong sum on one card discards the figure, and the run’s notes name it',
  run: async (stage) => {
    await buildDriver();
    const fabric = await stage.site.lab.addFabric({ nodes: 2, rate_mbit: 40 });
    const run = await startCluster(stage, fabric, {
      env: { ...withLibrary, GPUMARK_SIM_COLLECTIVE_FAULT: 'wrong-sum@3' },
    });
    const result = await run.result();
    assertLinks(result, fabric);
    assertNoCollective(result);
    assert.match(result.network.notes.join('\n'), /all-reduce of 1048576 bytes: .*wrong/);
  },
};

function assertNoCollective({ network }: ClusterResult): void {
  assert.equal(network.collective, null);
  assert.equal('allreduce_bandwidth_gbs' in network, false);
  assert.equal('broadcast_bandwidth_gbs' in network, false);
}
