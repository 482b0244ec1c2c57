import { fitting, leastLeadMs, recheckMs } from '../network-times.ts';
import { lockMissed, repeatLinks } from '../queries/links.ts';
import { slotOfLink } from './slot-of-link.ts';
import { change, liveSeats, nowOf, type Step } from './step.ts';

/**
 * Of an end that did not perform its slot: the agent got the plan too late, or its runner the slot, or the runner stood
 * still until after the slot's end.
 */
const missedCodes = ['PLAN_LATE', 'TOO_LATE', 'RUNNER_SILENT'];

/**
 * Plans slots of the rounds again that an end missed, once each and in the pairs of their rounds. A plan made just before
 * the coordinator is killed does not reach every node in time, and a busy machine may not run an agent for seconds, which
 * says nothing about the links: a failed attempt would make them `unstable`. A slot missed twice is left to the retests.
 * False if there is none to plan.
 */
export async function repeatMissed(step: Step): Promise<boolean> {
  const { planner, tx, key, run, seats } = step;
  const { graph, transport } = run;
  if (graph === null || transport === null) throw new Error('rounds without a graph');
  const live = new Set(liveSeats(step).map(({ node }) => node));
  const missed = (await lockMissed(tx, key, missedCodes)).filter((row) => live.has(row.source) && live.has(row.target));
  if (missed.length === 0) return false;
  const { reach } = await planner.layouts.of(tx, run);
  const slotMs = graph.slot_seconds * 1000;
  const start = nowOf(step) + leastLeadMs;
  const byRound = [...Map.groupBy(missed, ({ round }) => round).values()];
  const rounds = byRound.slice(0, fitting(run.deadline_ms ?? 0, start, slotMs));
  const links = rounds.flatMap((round, at) =>
    round.flatMap(({ link, attempt, phase, round: number, source, target }) => {
      const dial = reach.links.get(link);
      if (dial == null) return [];
      const slot = { link, attempt, phase, round: number, source, target, transport, dial, concurrent: round.length };
      const planned = slotOfLink(run, seats, { ...slot, slotMs, startsAtMs: start + at * slotMs });
      // Without a port to dial the attempt stays as it is.
      return planned.starts_at_ms === null ? [] : [planned];
    }),
  );
  if (links.length === 0) return false;
  const sequence = run.sequence + 1;
  await repeatLinks(tx, key, sequence, links);
  const end = start + rounds.length * slotMs;
  await change(step, {
    sequence,
    plan: { kind: 'slots', starts_at_ms: start, ends_at_ms: end, made_at_ms: nowOf(step) },
    due_ms: end + recheckMs,
    rounds_ended_ms: end,
  });
  return true;
}
