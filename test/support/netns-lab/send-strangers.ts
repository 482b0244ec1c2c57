import type { LabNode } from './lab-node.ts';
import { runTool } from './run-tool.ts';

export interface StrangerCount {
  tried: number;
  connected: number;
  refused: number;
  /** closed by the other end */
  closed: number;
  /** not closed by the other end after three seconds */
  still_open: number;
  /** bytes that the other end sent */
  bytes: number;
  longest_ms: number;
}

export type StrangerKind = 'silent' | 'http' | 'junk' | 'forged' | 'half' | 'replayed';

/**
 * Opens connections over `seconds` from a node that does not belong to the run: they send nothing, HTTP, 5 kB of junk, a
 * handshake with a forged proof or half a handshake. Up to a fifth more replay handshakes captured at the switch.
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
