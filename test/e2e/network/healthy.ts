import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { execa } from 'execa';
import { sendStrangers } from '../../support/netns-lab/send-strangers.ts';
import { whyNoLab } from '../../support/netns-lab/why-no-lab.ts';
import { root } from '../deployment.ts';
import { useSite } from './cluster-site.ts';
import { assertLinks, assertNobodyNamed, firstAttempts } from './findings.ts';
import { labTest } from './lab-test.ts';
import { startCluster } from './start-cluster.ts';

/**
 * Sound networks, measured by packaged agents under a real coordinator. Rates are low, so that two cores carry several runs
 * at once: what is proved is the answer, not a speed.
 */
const RUN_MS = 120_000;
const LISTEN_PORT = 21_000;
const MOST_SKEW_MS = 50;

const skip = (await whyNoLab()) ?? false;

describe('a sound cluster', { skip, concurrency: 3 }, () => {
  const site = useSite();

  labTest('8 nodes beside strangers: every link ok at its rate, nobody named, strangers get no answer', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 9, rate_mbit: 20 });
    const members = fabric.nodes.slice(0, 8);
    const run = await startCluster(t, site(), fabric, {
      starting: members.map(({ number }) => number),
      config: { port_range: `${LISTEN_PORT}-${LISTEN_PORT + 9}` },
    });
    await run.untilEvent(({ state }) => state === 'rounds', 60_000);
    const strangers = await sendStrangers(fabric.node(8), members, LISTEN_PORT, { count: 160, seconds: 10 });
    const result = await run.result(RUN_MS);
    assertLinks(result, fabric);
    assertNobodyNamed(result);
    for (const [kind, count] of Object.entries(strangers)) {
      assert.equal(count.bytes, 0, `${kind}: nothing is answered`);
      assert.equal(count.still_open, 0, `${kind}: all are closed`);
      assert.ok(count.connected > 0 || kind === 'replayed', `${kind}: somebody listened (${JSON.stringify(count)})`);
    }
    assert.ok(strangers.replayed.tried > 0, 'handshakes were overheard');
  });

  labTest('5 nodes with clocks days apart: starts within 50 ms, every link ok', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 5, rate_mbit: 20 });
    const ahead = [0, 86_400, 3 * 86_400, 300, 40 * 86_400];
    const run = await startCluster(t, site(), fabric, { clockAhead: (number) => ahead[number] ?? 0 });
    const result = await run.result(RUN_MS);
    assertLinks(result, fabric);
    assertNobodyNamed(result);
    for (const { start_skew_ms } of firstAttempts(result)) {
      assert.ok(Math.abs(start_skew_ms ?? Number.NaN) < MOST_SKEW_MS, `start skew ${start_skew_ms} ms`);
    }
  });

  labTest(
    '3 of 4 nodes: the run starts without the missing one; a late joiner and a clone are refused and disturb nothing',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 5, rate_mbit: 20 });
      const run = await startCluster(t, site(), fabric, {
        starting: [0, 1, 2],
        node_count: 4,
        config: { join_seconds: 8 },
        machineOf: (number) => (number === 4 ? 0 : number),
      });
      await run.untilEvent(({ state }) => state === 'rounds', 60_000);
      run.startAgent(3);
      run.startAgent(4);
      await run.untilEvent(({ outcome }) => outcome !== null, 60_000);
      const result = await run.result(RUN_MS);
      assertLinks(result, fabric);
      assertNobodyNamed(result);
      assert.deepEqual([result.network.node_count, result.network.missing_nodes], [3, 1]);
    },
  );

  labTest('2 nodes: their link is ok, and quick_mark (of simulated cards) after it ends the job', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 2, rate_mbit: 20 });
    await execa('make', ['-s', '-C', join(root, 'test/support/simulated-driver')]);
    const run = await startCluster(t, site(), fabric, {
      with_quick_mark: true,
      env: {
        LD_LIBRARY_PATH: join(root, 'native/build/sim/nvidia'),
        GPUMARK_SIM_DEVICES: '1',
        GPUMARK_SIM_MEMORY_MIB: '32',
        GPUMARK_SIM_ARCH: 'sm_70',
      },
    });
    const ended = await Promise.all([...run.agents.values()].map((agent) => agent.ended));
    for (const { exit_code, stderr } of ended) {
      assert.ok(exit_code === 0 || exit_code === 3, `exit ${exit_code}: ${stderr.slice(-1000)}`);
    }
    const result = await run.result(30_000);
    assertLinks(result, fabric);
    assertNobodyNamed(result);
    assert.equal(result.job.tasks.filter(({ benchmark_results }) => 'quick_mark' in benchmark_results).length, 2);
  });
});
