import { networkSpreadMs } from '../../coordinator/contract/network-protocol.ts';
import type { NetworkPlan, NetworkPollResponse } from '../../coordinator/contract/network-protocol.ts';
import type { RunContext } from '../run/run-context.ts';
import type { RunnerError } from '../kernels/runner-error.ts';
import { followPlans } from './follow-plans.ts';
import type { NetworkEnd } from './follow-plans.ts';
import type { JoinedNetwork } from './join-network.ts';
import { performPreflight } from './perform-preflight.ts';
import { keepListening, performSlots } from './perform-slots.ts';
import type { CollectivePart, CollectivePlan, PlanTools } from './plan-tools.ts';
import { refreshClock } from './refresh-clock.ts';
import type { ReportOutbox } from './report-outbox.ts';

/** The clock is synchronised again before a plan unless its error is below this: starts must be met within 50 ms. */
const CLOCK_ERROR_MS = 2;
/** Share of the time until a plan's first start that synchronising may take. */
const CLOCK_SHARE = 0.25;

/** The tools of plans that outlive the polling. */
export interface RunTools extends Omit<PlanTools, 'over' | 'report' | 'collective'> {
  openCollective: ((over: AbortSignal) => CollectivePart) | null;
}

export type ConversationEnd = NetworkEnd | { kind: 'runner-died'; error: RunnerError };

/**
 * The run of a joined node: polls for plans, performs them, and puts their reports into the outbox. Resolves when the
 * run has ended for this node and its plans have ended; the outbox may still hold reports.
 */
export async function followRun(
  context: RunContext,
  joined: JoinedNetwork,
  { openCollective, ...tools }: RunTools,
  outbox: ReportOutbox,
  onAnswer: (answer: NetworkPollResponse) => void,
): Promise<ConversationEnd> {
  const { host, limits, stop } = context;
  const { clock: hostClock, random } = host;
  const over = new AbortController();
  const end = (): void => over.abort();
  stop.signal.addEventListener('abort', end, { once: true });
  if (stop.signal.aborted) end();
  const state = { plan_end: -1, nodes: 1, listening: new Set(joined.endpoints.map(({ address }) => address)) };
  const planTools: PlanTools = {
    ...tools,
    collective: openCollective?.(over.signal) ?? null,
    over: over.signal,
    report: (report) => outbox.add(report, reportDelay(state.nodes) * (0.5 + random.fraction() / 2)),
  };
  const performing: Promise<void>[] = [];
  // All nodes receive a plan and end it at the same moment; spreads their next requests and reports over time.
  const spread = (): Promise<void> => hostClock.sleep(random.fraction() * networkSpreadMs(state.nodes), over.signal);
  const onPlan = async (plan: NetworkPlan, answer: NetworkPollResponse): Promise<void> => {
    const start = hostClock.monotonic();
    const lead = Math.max(0, startOf(plan) - answer.now_ms);
    const deadlineMs = start + lead * CLOCK_SHARE;
    await refreshClock(joined.client, tools.clock, {
      enoughMs: CLOCK_ERROR_MS,
      monotonicMs: () => hostClock.monotonic(),
      deadlineMs,
    });
    state.plan_end = Math.max(state.plan_end, tools.clock.toMonotonic(endOf(plan)));
    if (plan.kind === 'slots') state.listening = keepListening(planTools, state.listening, plan);
    const work = async (): Promise<void> => {
      await perform(planTools, plan);
      await spread();
      outbox.hurry();
    };
    performing.push(work());
    await spread();
  };
  const died = tools.commands.ended.then((error) => error);
  const following = followPlans({
    poll: (have) => joined.client.poll(have, joined.poll_seconds),
    onPlan,
    onAnswer: (answer) => {
      state.nodes = Math.max(1, answer.progress.nodes_joined);
      onAnswer(answer);
    },
    onAway: (error) => tellAway(context, error),
    planEnd: () => state.plan_end,
    clock: hostClock,
    random,
    away_ms: limits.network_away_ms,
    over: over.signal,
  });
  const first = await Promise.race([following, died]);
  // Every command of a dead runner has been answered, so the reports of its plans are complete.
  if (first !== null && 'remedy' in first) await Promise.all(performing);
  end();
  stop.signal.removeEventListener('abort', end);
  const last = await following;
  await Promise.all(performing);
  await planTools.collective?.close();
  return first !== null && 'remedy' in first ? { kind: 'runner-died', error: first } : last;
}

async function perform(tools: PlanTools, plan: NetworkPlan): Promise<void> {
  switch (plan.kind) {
    case 'preflight':
      return await performPreflight(tools, plan);
    case 'slots':
      return await performSlots(tools, plan.slots, plan.phase);
    case 'collective':
      return await performCollective(tools, plan.collective);
  }
}

async function performCollective({ collective, report }: PlanTools, plan: CollectivePlan): Promise<void> {
  if (collective === null) {
    report({ kind: 'collective', id: plan.id, result: null, message: 'this node has no collective library' });
    return;
  }
  const made = await collective.perform(plan);
  if (made !== null) report(made);
}

/** All nodes together send at most about 20 batches per second, and no report waits longer than 10 s. */
const reportDelay = (nodes: number): number => Math.min(10_000, nodes * 50);

/** A collective has no start time: its nodes begin when all of them have joined. */
function startOf(plan: NetworkPlan): number {
  if (plan.kind === 'preflight') return plan.starts_at_ms;
  if (plan.kind === 'collective') return 0;
  return Math.min(plan.ends_at_ms, ...plan.slots.map((slot) => slot.starts_at_ms));
}

const endOf = (plan: NetworkPlan): number =>
  plan.kind === 'collective' ? plan.collective.ends_at_ms : plan.ends_at_ms;

function tellAway({ emit }: RunContext, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  const message = `the coordinator does not answer (${why}); planned links are still measured and their results kept`;
  emit({ type: 'notice', level: 'warning', message, remedy: null });
}
