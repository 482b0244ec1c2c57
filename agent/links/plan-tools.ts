import type { NetworkPlan, NetworkReport, NetworkSlot } from '../../coordinator/contract/network-protocol.ts';
import type { Channel } from './channel.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { LinkCommands } from './link-commands.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

/** Why this node has nothing to report of a slot or dial. Other codes are the system's, such as ECONNREFUSED, or the runner's. */
export type OwnCode =
  /** the slot was over when its plan arrived */
  | 'PLAN_LATE'
  /** the runner has not answered by the end of the slot */
  | 'RUNNER_SILENT'
  /** the runner has ended, by itself or by a signal */
  | 'RUNNER_DIED'
  /** the plan asks for RDMA and this node has announced none */
  | 'NO_RDMA'
  /** perftest could not be run to its end */
  | 'TOOL_FAILED'
  /** of a dial: no address of the other node is one that this node may call */
  | 'NO_ADDRESS'
  /** of a dial: the preflight was over before it ended */
  | 'PREFLIGHT_OVER';

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
 * `over`: the run is over and the answer no longer needed.
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
