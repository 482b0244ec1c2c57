import { leadMs } from '../../../coordinator/network/network-times.ts';
import type { Crowd } from './crowd.ts';

export interface CrowdFigures {
  nodes: number;
  links: number;
  ok: number;
  /** links of the graph without a first attempt */
  missing: number;
  doubled: number;
  /** stored figures that are not what the fabric gives */
  wrong: number;
  /** slots that an agent was told of and whose report was not acknowledged */
  unacknowledged: number;
  plans: number;
  /**
   * Milliseconds from when a running epoch's successor is due, or from when the poll was sent if that was later, to its
   * arrival: planning, noticing and answering included. Those that an outage fell into are counted, not timed.
   */
  epoch_p50_ms: number;
  epoch_p99_ms: number;
  epoch_max_ms: number;
  epoch_polls: number;
  polls_during_outages: number;
  /** milliseconds from the first to this answer with the same plan, of all plans and all nodes */
  spread_p99_ms: number;
  /** how much longer than 10 s a poll without news took */
  empty_p99_ms: number;
  /** plans that came after the first start in them */
  late_plans: number;
  requests: number;
  seconds: number;
}

/** The count of what is there, and how long polls took. */
export function crowdFigures(crowd: Crowd, expectedLinks: number): CrowdFigures {
  const { agents, links, fabric } = crowd;
  const first = links.filter(({ attempt, phase }) => attempt === 1 && phase !== 'ring');
  const ids = new Set(first.map(({ link_id }) => link_id));
  const timed = epochLatencies(crowd);
  const arrivals = agents.flatMap((agent) => agent.arrivals);
  const firsts = new Map<number, number>();
  for (const { sequence, arrivedAt } of arrivals)
    firsts.set(sequence, Math.min(firsts.get(sequence) ?? Infinity, arrivedAt));
  const isCalm = calm(crowd);
  const spread = arrivals
    .filter(({ askedAt, arrivedAt }) => isCalm(askedAt, arrivedAt))
    .map(({ sequence, arrivedAt, askedAt }) => arrivedAt - Math.max(firsts.get(sequence) ?? arrivedAt, askedAt));
  return {
    nodes: agents.length,
    links: first.length,
    ok: first.filter(({ status }) => status === 'ok').length,
    missing: expectedLinks - ids.size,
    doubled: first.length - ids.size,
    wrong: first.filter(
      ({ source_node: a, target_node: b, attempt, forward_gbps, reverse_gbps }) =>
        forward_gbps !== fabric.gbps(a, b, attempt) || reverse_gbps !== fabric.gbps(b, a, attempt),
    ).length,
    unacknowledged: agents.reduce(
      (sum, agent) => sum + [...agent.slots.keys()].filter((id) => !agent.acked.has(id)).length,
      0,
    ),
    plans: firsts.size,
    epoch_p50_ms: quantile(timed.calm, 0.5),
    epoch_p99_ms: quantile(timed.calm, 0.99),
    epoch_max_ms: quantile(timed.calm, 1),
    epoch_polls: timed.calm.length,
    polls_during_outages: timed.disturbed,
    spread_p99_ms: quantile(spread, 0.99),
    empty_p99_ms: quantile(crowd.emptyPolls, 0.99) - 10_000,
    late_plans: arrivals.filter(({ startsAt, arrivedAt }) => startsAt !== null && arrivedAt > startsAt).length,
    requests: crowd.requests,
    seconds: crowd.seconds,
  };
}

/** A successor is due `leadMs` before its own first start, where it follows without a gap. */
function epochLatencies(crowd: Crowd): { calm: number[]; disturbed: number } {
  const isCalm = calm(crowd);
  const timed: number[] = [];
  let disturbed = 0;
  for (const agent of crowd.agents) {
    for (const { kind, startsAt, askedAt, arrivedAt, follows } of agent.arrivals) {
      if (kind !== 'slots' || startsAt === null || !follows) continue;
      const due = startsAt - leadMs;
      if (isCalm(Math.max(due, askedAt), arrivedAt)) timed.push(arrivedAt - Math.max(due, askedAt));
      else disturbed += 1;
    }
  }
  return { calm: timed, disturbed };
}

/** After a return every node is waited for, a plan is not late by that. */
const SETTLE_MS = 3000;

const calm =
  ({ outages }: Crowd) =>
  (from: number, to: number): boolean =>
    outages.every(({ killedAt, readyAt }) => to < killedAt || from > readyAt + SETTLE_MS);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
