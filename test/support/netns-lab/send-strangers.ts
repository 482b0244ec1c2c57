import type { LabNode } from './lab-node.ts';
import { runTool } from './run-tool.ts';

export interface StrangerCount {
  tried: number;
  connected: number;
  refused: number;
  /** by the other end */
  closed: number;
  /** after three seconds still not closed */
  still_open: number;
  /** that the other end answered */
  bytes: number;
  longest_ms: number;
}

export type StrangerKind = 'silent' | 'http' | 'junk' | 'forged' | 'half' | 'replayed';

/**
 * Connections over `seconds` from a node that has no business with the others: silent, HTTP, 5 kB of junk, a handshake with
 * a made-up proof, half of one, and, up to a fifth more, what others said to each other at the switch, said again.
 */
export const sendStrangers = (
  from: LabNode,
  to: readonly LabNode[],
  port: number,
  amount: { count: number; seconds: number },
): Promise<Record<StrangerKind, StrangerCount>> =>
  runTool(
    'strangers',
    from.namespace,
    from.switch_namespace,
    amount.seconds,
    amount.count,
    port,
    ...to.map(({ address }) => address),
  );
