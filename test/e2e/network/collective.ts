import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe } from 'node:test';
import { execa } from 'execa';
import { MEASURED } from '../../support/netns-lab/lab-node.ts';
import { whyNoLab } from '../../support/netns-lab/why-no-lab.ts';
import { root } from '../deployment.ts';
import { useSite } from './cluster-site.ts';
import { assertLinks } from './findings.ts';
import { labTest } from './lab-test.ts';
import { startCluster } from './start-cluster.ts';

/**
 * The collective of a whole job: packaged agents, the real coordinator, simulated cards and a simulated NCCL that computes
 * over the lab's network. It proves the way of the figures, no speed of a GPU.
 */
const RUN_MS = 120_000;
const skip = (await whyNoLab()) ?? false;
const built = (...folders: string[]): string => folders.map((name) => join(root, 'native/build/sim', name)).join(':');
const cards = { GPUMARK_SIM_DEVICES: '2', GPUMARK_SIM_MEMORY_MIB: '32', NCCL_SOCKET_IFNAME: MEASURED };

describe('all nodes together', { skip, concurrency: 3 }, () => {
  const site = useSite();
  before(() => execa('make', ['-s', '-C', join(root, 'test/support/simulated-driver')]));

  labTest('2 nodes of 2 simulated cards: all-reduce and broadcast, labelled simulated', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 2, rate_mbit: 200 });
    const run = await startCluster(t, site(), fabric, {
      env: { ...cards, LD_LIBRARY_PATH: built('nvidia', 'collective-nvidia') },
    });
    const result = await run.result(RUN_MS);
    assertLinks(result, fabric);
    const { collective, allreduce_bandwidth_gbs, broadcast_bandwidth_gbs } = result.network;
    assert.ok(collective !== null, result.network.notes.join());
    const { library, version, nodes, ranks, verified, simulated } = collective;
    assert.deepEqual([library, version, nodes, ranks, verified, simulated], ['nccl', '2.27.3', 2, 4, true, true]);
    const [all, copy] = [collective.all_reduce.at(-1), collective.broadcast.at(-1)];
    assert.ok(all && copy && all.bytes >= 1 << 20);
    // Bus bandwidth of an all-reduce over 4 ranks: 2 * 3 / 4 of bytes over time.
    assert.ok(Math.abs(all.bus_gbs / ((1.5 * all.bytes) / all.seconds / 1e9) - 1) < 1e-6);
    assert.equal(allreduce_bandwidth_gbs, all.bus_gbs);
    assert.equal(broadcast_bandwidth_gbs, copy.bus_gbs);
    // The second node's two ranks get every byte of a broadcast through 200 Mb/s, which are 0.025 GB/s, one after the other.
    assert.ok(copy.bus_gbs < 0.0126 * 1.1, `${copy.bus_gbs} GB/s through half of 0.025`);
  });

  labTest(
    'a node without the library: no figures of the collective, not zero, and the links all the same',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 2, rate_mbit: 40 });
      const run = await startCluster(t, site(), fabric, {
        env: cards,
        envOf: (number) => ({
          LD_LIBRARY_PATH: number === 0 ? built('nvidia', 'collective-nvidia') : built('nvidia'),
        }),
      });
      const result = await run.result(RUN_MS);
      assertLinks(result, fabric);
      assert.equal(result.network.collective, null);
      assert.equal('allreduce_bandwidth_gbs' in result.network, false);
      assert.equal('broadcast_bandwidth_gbs' in result.network, false);
    },
  );

  labTest('a wrong sum on one card is no figure, and the run’s notes name it', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 2, rate_mbit: 40 });
    const run = await startCluster(t, site(), fabric, {
      env: {
        ...cards,
        LD_LIBRARY_PATH: built('nvidia', 'collective-nvidia'),
        GPUMARK_SIM_COLLECTIVE_FAULT: 'wrong-sum@3',
      },
    });
    const result = await run.result(RUN_MS);
    assertLinks(result, fabric);
    assert.equal(result.network.collective, null);
    assert.equal('allreduce_bandwidth_gbs' in result.network, false);
    assert.match(result.network.notes.join('\n'), /all-reduce of 1048576 bytes: .*wrong/);
  });
});
