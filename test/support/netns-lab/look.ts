import type { Fabric } from './make-fabric.ts';
import type { LabNode } from './lab-node.ts';
import { runTool } from './run-tool.ts';

const MESH_DEADLINE_MS = 3_000;
const SILENCE_MS = 700;
const DIAL_MS = 700;
const RATE_WINDOW_MS = 300;

const pair = (from: LabNode, to: LabNode): string => `${from.namespace}>${to.namespace}=${to.address}`;

/** Ordered pairs of node numbers between which no ping is answered. `healthy`: waits longer, since all must answer. */
export async function silentPairs(
  nodes: readonly LabNode[],
  expectation: 'healthy' | 'faulty' = 'healthy',
): Promise<[number, number][]> {
  if (nodes.length < 2) return [];
  const time = expectation === 'healthy' ? MESH_DEADLINE_MS : SILENCE_MS;
  const hosts = nodes.map(({ namespace, address }) => `${namespace}=${address}`);
  const { silent } = await runTool<{ silent: [number, number][] }>('mesh', time, ...hosts);
  const numberAt = (index: number): number => nodes[index]?.number ?? index;
  return silent.map(([from, to]) => [numberAt(from), numberAt(to)]);
}

/** Rate checks of this process run one after the other: two in parallel would see each other's load. */
let looking: Promise<unknown> = Promise.resolve();

/** Rates on the cable, in Mb/s, of flows that run in parallel. */
export async function measureRates(fabric: Fabric, flows: readonly (readonly [number, number])[]): Promise<number[]> {
  if (flows.length === 0) return [];
  const words = flows.map(([from, to]) => pair(fabric.node(from), fabric.node(to)));
  const look = looking.then(() => runTool<{ mbps: number[] }>('rate', RATE_WINDOW_MS, ...words));
  looking = look.catch(() => undefined);
  return (await look).mbps;
}

export interface Pings {
  sent: number;
  received: number;
  min_us: number | null;
  median_us: number | null;
}

export const pingNode = (from: LabNode, to: LabNode, count: number, interval_ms: number): Promise<Pings> =>
  runTool<Pings>('ping', from.namespace, to.address, count, interval_ms);

/** The outcome of a TCP connection to a port on which something listens. */
export const dialNode = async (
  from: LabNode,
  to: LabNode,
): Promise<'connected' | 'refused' | 'unreachable' | 'timeout'> =>
  (await runTool<{ outcome: 'connected' | 'refused' | 'unreachable' | 'timeout' }>('dial', pair(from, to), DIAL_MS))
    .outcome;
