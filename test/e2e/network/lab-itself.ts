import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { blockInbound } from '../../support/netns-lab/faults/block-inbound.ts';
import { setCongestionControl } from '../../support/netns-lab/faults/congestion-control.ts';
import { delayNode } from '../../support/netns-lab/faults/delay-node.ts';
import { lossyLink } from '../../support/netns-lab/faults/lossy-link.ts';
import { partition } from '../../support/netns-lab/faults/partition.ts';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { slowNode } from '../../support/netns-lab/faults/slow-node.ts';
import { unplug } from '../../support/netns-lab/faults/unplug.ts';
import { pingNode, silentPairs } from '../../support/netns-lab/look.ts';
import { openLab } from '../../support/netns-lab/open-lab.ts';
import type { Case } from '../../support/run-cases.ts';

const settings = ['neigh/default/gc_thresh3', 'tcp_allowed_congestion_control'];
const read = async (): Promise<string[]> => [
  ...(await Promise.all(settings.map((name) => readFile(join('/proc/sys/net/ipv4', name), 'utf8')))),
  (await execa('ps', ['-C', 'ksoftirqd/0', '-o', 'ni='], { reject: false })).stdout.trim(),
];

const faults: Case = {
  title: 'each fault of the lab has its effect, and nothing else changes',
  run: async (t) => {
    const lab = await openLab();
    t.after(lab.close);
    const fabric = await lab.addFabric({ nodes: 8, rate_mbit: 40 });
    const [n0, n1, n2] = [fabric.node(0), fabric.node(1), fabric.node(2)];
    // Each fault checks its own effect; only what it must leave alone is checked here.
    await slowNode(fabric, 1, 'tx', 8);
    await slowNode(fabric, 2, 'rx', 10);
    await slowLink(fabric, 3, 4, 12);
    await lossyLink(n0, n1, 0.08);
    await delayNode(fabric, 5, 3);
    await blockInbound(fabric, 6);
    await setCongestionControl(fabric.nodes, 'cubic');
    await partition(fabric, [0], [7]);
    await partition(fabric, [1, 2], [3]);
    const near = await pingNode(n0, n2, 20, 5);
    assert.ok(
      near.received === 20 && (near.min_us ?? 1e9) < 1500,
      `the round trip to a node without a fault stays short: ${near.min_us} us`,
    );
    await unplug(fabric, 4);
    assert.deepEqual(await silentPairs([n0, n1, n2, fabric.node(5), fabric.node(6)], 'faulty'), []);
  },
};

const control: Case = {
  title: 'nodes can reach the control network and nothing beyond it',
  run: async (t) => {
    const lab = await openLab();
    t.after(lab.close);
    const fabric = await lab.addFabric({ nodes: 2, rate_mbit: 40 });
    const routes = await execa('ip', ['-n', fabric.node(0).namespace, 'route']);
    assert.deepEqual(
      routes.stdout.split('\n').map((line) => /dev (\S+)/.exec(line)?.[1]),
      ['eth0', 'ctl'].toSorted((a, b) => routes.stdout.indexOf(a) - routes.stdout.indexOf(b)),
    );
    const ping = fabric.node(0).start(process.execPath, ['-e', CONNECT, lab.address]);
    assert.equal((await ping.ended).stdout, 'ECONNREFUSED', 'this machine answers there, and nothing is listening');
  },
};

const CONNECT = `require('node:net').connect(1, process.argv[1]).on('error', (e) => process.stdout.write(e.code))`;

const racks: Case = {
  title: 'two racks share a thin uplink, which is verified when they are created',
  run: async (t) => {
    const lab = await openLab();
    t.after(lab.close);
    const fabric = await lab.addFabric({ nodes: 8, rate_mbit: 40, uplink_mbit: 40 });
    assert.deepEqual(fabric.racks, [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  },
};

const leftovers: Case = {
  title: 'the remains of a dead process’s lab are removed by the next lab; the lab of a live process is left alone',
  run: async (t) => {
    const before = await read();
    const living = await openLab();
    t.after(living.close);
    const script = `
    const { openLab } = await import(${JSON.stringify(join(import.meta.dirname, '../../support/netns-lab/open-lab.ts'))});
    const lab = await openLab();
    const fabric = await lab.addFabric({ nodes: 2, rate_mbit: 40 });
    fabric.node(0).start('sleep', ['600']);
    process.stdout.write(lab.prefix);
    process.kill(process.pid, 'SIGKILL');`;
    const crashed = await execa(process.execPath, ['--input-type=module', '-e', script], { reject: false });
    const prefix = crashed.stdout;
    assert.match(prefix, /^gmlab-/);
    const left = async (of: string): Promise<number> =>
      (await readdir('/run/netns')).filter((name) => name.startsWith(of)).length;
    assert.equal(await left(prefix), 4);
    const next = await openLab();
    await next.close();
    assert.equal(await left(prefix), 0);
    assert.equal(await left(living.prefix), 1);
    await living.close();
    assert.equal(await left(living.prefix), 0);
    // Labs of other test files that are open now keep the settings raised; only without them are they restored here.
    const others = (await readdir('/run/gpumark-netns-lab/users').catch(() => [])).length;
    if (others === 0) assert.deepEqual(await read(), before);
  },
};

/** The scenarios already verify faults and uplinks when they create them, so only the other cases run with the tests. */
export const tested: readonly Case[] = [control, leftovers];
export const nightly: readonly Case[] = [faults, racks];
