import assert from 'node:assert/strict';
import { execa } from 'execa';
import type { LabNode } from '../lab-node.ts';

const FILE = '/proc/sys/net/ipv4/tcp_congestion_control';

/** Sets the congestion control that new connections of these nodes use. */
export async function setCongestionControl(nodes: readonly LabNode[], name: 'bbr' | 'cubic' | 'reno'): Promise<void> {
  for (const { namespace } of nodes) {
    const script = `echo ${name} > ${FILE} && cat ${FILE}`;
    const { stdout } = await execa('ip', ['netns', 'exec', namespace, 'sh', '-c', script]);
    assert.equal(stdout, name);
  }
}
