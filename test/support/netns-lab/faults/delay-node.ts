import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { ipBatch, tcBatch } from '../ip-batch.ts';
import { lookUntil } from '../look-until.ts';
import { pingNode } from '../look.ts';
import type { Fabric } from '../make-fabric.ts';
import { labTool } from '../run-tool.ts';

const PINGS = 20;
const INTERVAL_MS = 5;
/** What this machine's scheduler may add to the shortest round trip. */
const SLACK_US = 1_500;

/** Adds `ms` in each direction: a program forwards between the node's cable and the switch (this kernel has no netem). */
export async function delayNode(fabric: Fabric, number: number, ms: number): Promise<void> {
  const node = fabric.node(number);
  const [near, far] = [`wn${number}`, `wf${number}`];
  await ipBatch(node.switch_namespace, [
    `link set ${node.switch_port} nomaster`,
    `link add ${near} type veth peer name ${far}`,
    `link set ${near} up`,
    `link set ${far} master br${fabric.racks.findIndex((rack) => rack.includes(number))} up`,
  ]);
  // The wire only forwards frames, without a shaper of its own; the two shapers of the cable still apply.
  await tcBatch(node.switch_namespace, [`qdisc replace dev ${near} root pfifo limit 5000`]);
  const wire = execa(
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      'ip',
      'netns',
      'exec',
      node.switch_namespace,
      await labTool(),
      'wire',
      String(ms * 1000),
      node.switch_port,
      near,
    ],
    { stdin: 'pipe', reject: false, cleanup: true },
  );
  const ready = await Promise.race([firstLine(wire.stdout), wire.then(({ stderr }) => stderr)]);
  assert.equal(ready, '{"ready":true}', 'the wire is up');
  const peer = fabric.nodes.find((other) => other.number !== number) ?? node;
  const expected = 2000 * ms;
  await lookUntil(async () => {
    const { received, min_us } = await pingNode(peer, node, PINGS, INTERVAL_MS);
    if (received <= PINGS / 2 || min_us === null) return `${received} of ${PINGS} pings passed through the wire`;
    const through = `round trip of ${min_us} us through a wire of ${expected} us`;
    return min_us >= expected && min_us < expected + SLACK_US ? null : through;
  });
}

/** Keeps reading after the first line, so that the pipe never fills up. */
const firstLine = (stdout: Readable): Promise<string> =>
  new Promise((resolve) => {
    createInterface({ input: stdout }).once('line', resolve);
  });
