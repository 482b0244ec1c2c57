import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execa } from 'execa';
import { sendStrangers, type StrangerCount, type StrangerKind } from '../../support/netns-lab/send-strangers.ts';
import { root } from '../deployment.ts';
import { killWithItsPostgres } from '../kill-coordinator.ts';
import { deployAt } from './cluster-site.ts';
import { assertLinks, assertNobodyNamed } from './findings.ts';
import type { Scenario, Stage } from './scenario.ts';
import { startCluster } from './start-cluster.ts';

/** Rates are low so that two cores can handle several runs at a time: the result is tested, not a speed. */
const LISTEN_PORT = 21_000;

/** On a busy machine the restart of the coordinator can take longer than one wave, and its nodes do not listen meanwhile. */
const MOST_WAVES = 6;

export const besideStrangers: Scenario = {
  title: '8 nodes with strangers connecting: every link is ok at its rate, no node is named, strangers get no answer',
  run: (stage) => soundBesideStrangers(stage, { nodes: 8, midway: () => Promise.resolve(), mostWaves: 1 }),
};

export const coordinatorKilled: Scenario = {
  title:
    '5 nodes with strangers connecting, kill -9 of coordinator and Postgres in mid-run: after a restart every link has one result, all are ok, no node is named, strangers got no answer',
  run: async ({ site, t }) => {
    const deployment = await deployAt(site.lab, t);
    const midway = async (): Promise<void> => {
      killWithItsPostgres(deployment.coordinator().pid);
      await deployment.restart();
    };
    await soundBesideStrangers({ site: { ...site, deployment }, t }, { nodes: 5, midway, mostWaves: MOST_WAVES });
  },
};

async function soundBesideStrangers(
  stage: Stage,
  { nodes, midway, mostWaves }: { nodes: number; midway: () => Promise<void>; mostWaves: number },
): Promise<void> {
  const fabric = await stage.site.lab.addFabric({ nodes: nodes + 1, rate_mbit: 20 });
  const members = fabric.nodes.slice(0, nodes);
  const run = await startCluster(stage, fabric, {
    starting: members.map(({ number }) => number),
    // With three seconds, a run of five nodes takes more than one epoch.
    config: { port_range: `${LISTEN_PORT}-${LISTEN_PORT + 9}`, slot_seconds: 3 },
  });
  await run.untilEvent(({ state }) => state === 'rounds');
  const [waves] = await Promise.all([
    sendUntilHeard(mostWaves, () =>
      sendStrangers(fabric.node(nodes), members, LISTEN_PORT, { count: 20 * nodes, seconds: 10 }),
    ),
    midway(),
  ]);
  const result = await run.result();
  assertLinks(result, fabric);
  assertNobodyNamed(result);
  for (const [kind, count] of waves.flatMap((wave) => Object.entries(wave))) {
    assert.equal(count.bytes, 0, `${kind}: no bytes were sent back`);
    assert.equal(count.still_open, 0, `${kind}: every connection was closed`);
  }
  assert.ok(isHeard(waves.at(-1)), `nodes were listening, and handshakes were captured: ${JSON.stringify(waves)}`);
}

type Strangers = Record<StrangerKind, StrangerCount>;

async function sendUntilHeard(most: number, send: () => Promise<Strangers>): Promise<Strangers[]> {
  const waves = [await send()];
  while (!isHeard(waves.at(-1)) && waves.length < most) waves.push(await send());
  return waves;
}

const isHeard = (wave: Strangers | undefined): boolean =>
  wave !== undefined &&
  Object.entries(wave).every(([kind, { tried, connected }]) => (kind === 'replayed' ? tried : connected) > 0);

export const thenQuickMark: Scenario = {
  title: '2 nodes: their link is ok, and quick_mark (on simulated cards) then completes the job',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 2, rate_mbit: 20 });
    await execa('make', ['-s', '-C', join(root, 'test/support/simulated-driver')]);
    const run = await startCluster(stage, fabric, {
      goesOn: () => true,
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
    const result = await run.result();
    assertLinks(result, fabric);
    assertNobodyNamed(result);
    assert.equal(result.job.tasks.filter(({ benchmark_results }) => 'quick_mark' in benchmark_results).length, 2);
  },
};
