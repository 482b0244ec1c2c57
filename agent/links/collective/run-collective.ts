import type { CollectiveResult } from '../../../coordinator/contract/cluster-network.ts';
import type { NetworkPlan, NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import type { LinkClock } from '../link-clock.ts';
import type { CollectiveMeasured } from './collective-events.ts';
import { startCollective } from './collective-process.ts';
import type { CollectiveProcess } from './collective-process.ts';
import { cutWords } from '../../../coordinator/figures/cut-words.ts';

export type CollectivePlan = Extract<NetworkPlan, { kind: 'collective' }>['collective'];

export interface CollectiveTools {
  /** absolute path of gpumark-runner */
  runner_path: string;
  clock: LinkClock;
  /** Aborts when the run is over for this node; nothing is reported after that. */
  over: AbortSignal;
  on_start: (pid: number) => void;
}

/**
 * The runner's deadline is this long before the plan's, so that its report arrives in time: 3 s for an abort that
 * hangs, and the transmission.
 */
const MARGIN_MS = 4_000;
/**
 * The process that made the id ends later than all ranks; otherwise the ranks would report its loss instead of the
 * cause.
 */
const KEEPER_MARGIN_MS = 2_000;
const MESSAGE_CHARACTERS = 500;

/**
 * This node's part of a collective operation. The node with rank 0 gets the plan twice: first it makes the library's
 * id, in a process that must live until every rank has joined; then the plan with the id goes to all nodes.
 */
export class CollectiveNode {
  readonly #tools: CollectiveTools;
  #keeper: CollectiveProcess | null = null;

  constructor(tools: CollectiveTools) {
    this.#tools = tools;
  }

  /** The report, by the end of the plan; null: nothing to report. Never rejects. */
  async perform(plan: CollectivePlan): Promise<NetworkReport | null> {
    if (this.#tools.over.aborted) return null;
    if (plan.unique_id !== null) return await this.#run(plan, plan.unique_id);
    return plan.first_rank === 0 ? await this.#makeId(plan) : null;
  }

  /** Ends all processes; resolves when none is left. */
  async close(): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = null;
    await keeper?.close();
  }

  async #makeId(plan: CollectivePlan): Promise<NetworkReport | null> {
    // The same plan again, because the answer was lost: make a new id, in a live process.
    await this.close();
    const keeper = this.#start(plan, ['--unique-id'], null, KEEPER_MARGIN_MS);
    this.#keeper = keeper;
    const made = await this.#byEnd(plan, keeper, keeper.first('collective_id'));
    if (made === 'over') return null;
    if (made !== 'late' && made !== null) return { kind: 'unique_id', id: plan.id, unique_id: made.unique_id };
    await this.close();
    const { problem } = await keeper.ended;
    return failure(plan, problem ?? `${plan.library} did not create an id in time`);
  }

  async #run(plan: CollectivePlan, uniqueId: string): Promise<NetworkReport | null> {
    const args = ['--first-rank', plan.first_rank, '--ranks', plan.ranks, '--devices', plan.devices].map(String);
    const ranks = this.#start(plan, args, uniqueId, MARGIN_MS);
    const end = await this.#byEnd(plan, ranks, ranks.ended);
    if (end === 'over' || end === 'late') await ranks.close();
    await this.close();
    if (end === 'over') return null;
    if (end === 'late') return failure(plan, `${plan.library} did not end in time`);
    const measured = end.events.find((event) => event.event === 'collective');
    if (measured === undefined) return failure(plan, end.problem ?? `${plan.library} measured nothing`);
    return { kind: 'collective', id: plan.id, result: resultOf(measured), message: null };
  }

  #start(plan: CollectivePlan, args: readonly string[], input: string | null, marginMs: number): CollectiveProcess {
    const { runner_path, clock, on_start } = this.#tools;
    const seconds = Math.max(1, (plan.ends_at_ms - clock.now_ms() - marginMs) / 1000);
    const device = plan.library === 'nccl' ? 'cuda' : 'rocm';
    const whole = ['--device', device, ...args, '--deadline-seconds', seconds.toFixed(3)];
    return startCollective({ runner_path, args: whole, input, on_start });
  }

  /** The process's answer; `late` at the plan's end; `over` if the run is over, and the process has been ended. */
  async #byEnd<T>(plan: CollectivePlan, process: CollectiveProcess, answer: Promise<T>): Promise<T | 'late' | 'over'> {
    const { clock, over } = this.#tools;
    const settled = new AbortController();
    const limit = clock
      .sleepUntil(plan.ends_at_ms, AbortSignal.any([settled.signal, over]))
      .then(() => 'late' as const);
    const first = await Promise.race([answer, limit]);
    settled.abort();
    if (!over.aborted) return first;
    await process.close();
    return 'over';
  }
}

function resultOf({
  library,
  version,
  nodes,
  ranks,
  all_reduce,
  broadcast,
  verified,
  simulated,
}: CollectiveMeasured): CollectiveResult {
  return { library, version, nodes, ranks, all_reduce, broadcast, verified, simulated };
}

const failure = (plan: CollectivePlan, message: string): NetworkReport => ({
  kind: 'collective',
  id: plan.id,
  result: null,
  message: cutWords(message, MESSAGE_CHARACTERS),
});
