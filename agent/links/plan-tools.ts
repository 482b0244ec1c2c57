import type { NetworkPlan, NetworkReport, NetworkSlot } from '../../coordinator/contract/network-protocol.ts';
import type { Channel } from './channel.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { LinkCommands } from './link-commands.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

/**
 * Why this node has no result for a slot or dial. Other codes are the system's, such as ECONNREFUSED, or the runner's.
 */
export type OwnCode =
  /** the slot had begun, or outside the rounds was over, when its plan arrived */
  | 'PLAN_LATE'
  /** the runner has not answered by the end of the slot */
  | 'RUNNER_SILENT'
  /** the runner has exited, by itself or by a signal */
  | 'RUNNER_DIED'
  /** the plan requires RDMA, and this node has not announced it */
  | 'NO_RDMA'
  /** perftest did not run to its end */
  | 'TOOL_FAILED'
  /** dials only: this node may not connect to any address of the other node */
  | 'NO_ADDRESS'
  /** dials only: the preflight was over before the dial ended */
  | 'PREFLIGHT_OVER';

export type CollectivePlan = Extract<NetworkPlan, { kind: 'collective' }>['collective'];

/** This node's ranks in a collective operation. */
export interface CollectivePart {
  /** The report; null: nothing to report. Never rejects. */
  perform(plan: CollectivePlan): Promise<NetworkReport | null>;
  /** Resolves when none of its processes runs any more. */
  close(): Promise<void>;
}

/** The parts of the surrounding run that performing a plan needs. */
export interface PlanTools {
  commands: LinkCommands;
  clock: CoordinatorClock;
  /** Aborts when the run is over for this node; what has not ended by then is not reported. */
  over: AbortSignal;
  report: (report: NetworkReport) => void;
  /** Measures bandwidth and latency over RDMA with external tools; null if this node has none. */
  measureRdma: ((slot: NetworkSlot, channel: Channel) => Promise<SlotReport>) | null;
  /** Null if no collective library can be loaded. */
  collective: CollectivePart | null;
}

/**
 * The runner's answer, or `late` at the given time of the coordinator's clock, when the command is also cancelled.
 * `over`: the run is over and the answer is no longer needed.
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
