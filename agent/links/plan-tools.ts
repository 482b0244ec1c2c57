import type { NetworkPlan, NetworkReport, NetworkSlot } from '../../coordinator/contract/network-protocol.ts';
import type { Channel } from './channel.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { LinkCommands } from './link-commands.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

export type CollectivePlan = Extract<NetworkPlan, { kind: 'collective' }>['collective'];

/** This node's ranks of an operation of all nodes. */
export interface CollectivePart {
  /** What is to be reported; null: nothing. Never rejects. */
  perform(plan: CollectivePlan): Promise<NetworkReport | null>;
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

/** What performing a plan needs of the conversation around it. */
export interface PlanTools {
  commands: LinkCommands;
  clock: CoordinatorClock;
  /** Aborts when the run is over for this node: what has not ended then is not reported. */
  over: AbortSignal;
  report: (report: NetworkReport) => void;
  /** Bandwidth and latency over RDMA by tools of their own; null if this node has none. */
  measureRdma: ((slot: NetworkSlot, channel: Channel) => Promise<SlotReport>) | null;
  /** Null if no collective library can be loaded. */
  collective: CollectivePart | null;
}

/**
 * What the runner answers, or `late` at that time of the coordinator's clock, when the question is also withdrawn.
 * `over`: nobody wants to know any more.
 */
export async function answerBy<T>(
  { clock, commands, over }: Pick<PlanTools, 'clock' | 'commands' | 'over'>,
  id: string,
  deadlineMs: number,
  question: Promise<T>,
): Promise<T | 'late' | 'over'> {
  const settled = new AbortController();
  const limit = clock.sleepUntil(deadlineMs, AbortSignal.any([settled.signal, over])).then(() => 'late' as const);
  const answer = await Promise.race([question, limit]);
  settled.abort();
  if (over.aborted) {
    commands.cancel(id);
    return 'over';
  }
  if (answer === 'late') commands.cancel(id);
  return answer;
}
