import { leadMs, leastLeadMs, recheckMs, fitting } from '../network-times.ts';
import { insertLinks, type NewLink } from '../queries/links.ts';
import type { ScheduledLink } from '../schedule/plan-graph.ts';
import type { Layout } from './layout.ts';
import { startRetests } from './plan-retests.ts';
import { repeatMissed } from './repeat-missed.ts';
import { settleLinks, settlePhase } from './settle-links.ts';
import { neverDriven, slotOfLink } from './slot-of-link.ts';
import { change, liveSeats, lookAgain, nowOf, lostSeats, type Step } from './step.ts';

/** Plans the next epoch to follow the current one without a gap; after the last epoch, waits for its reports. */
export async function planRounds(step: Step): Promise<void> {
  const { planner, tx, key, run } = step;
  const { graph, transport } = run;
  if (graph === null || transport === null) throw new Error('rounds without a graph');
  const layout = await planner.layouts.of(tx, run);
  const slotMs = graph.slot_seconds * 1000;
  const start = Math.max(run.plan?.kind === 'slots' ? run.plan.ends_at_ms : 0, nowOf(step) + leastLeadMs);
  const rounds = layout.rounds.slice(run.next_round, run.next_round + fitting(run.deadline_ms ?? 0, start, slotMs));
  if (rounds.length === 0 || liveSeats(step).length < 2) return afterRounds(step);
  const sequence = run.sequence + 1;
  const links = rounds.flatMap((round, at) =>
    linksOfRound(step, layout, round, { round: run.next_round + at, startsAtMs: start + at * slotMs, slotMs }),
  );
  await insertLinks(tx, key, sequence, links);
  // The time for reports of the previous epoch is over. Reads only that epoch, since a run may have many rows.
  await settleLinks(step, { from: run.sequence - 1, through: run.sequence - 1 });
  const end = start + rounds.length * slotMs;
  const nextRound = run.next_round + rounds.length;
  const more = nextRound < layout.rounds.length && fitting(run.deadline_ms ?? 0, end, slotMs) > 0;
  await change(step, {
    sequence,
    next_round: nextRound,
    plan: { kind: 'slots', starts_at_ms: start, ends_at_ms: end, made_at_ms: nowOf(step) },
    due_ms: more ? end - leadMs : end + recheckMs,
    rounds_ended_ms: end,
    ...(run.rounds_started_ms === null && { rounds_started_ms: start }),
  });
}

function linksOfRound(
  step: Step,
  { reach }: Layout,
  links: readonly ScheduledLink[],
  times: { round: number; startsAtMs: number; slotMs: number },
): NewLink[] {
  const { run, seats } = step;
  const transport = run.transport ?? 'tcp';
  const lost = new Set(lostSeats(step));
  // A pair that cannot connect already has a row from the preflight.
  const possible = links.filter(({ link }) => reach.links.get(link) != null);
  const isDriven = ({ source, target }: ScheduledLink): boolean => !lost.has(source) && !lost.has(target);
  const concurrent = possible.filter(isDriven).length;
  return possible.map((scheduled): NewLink => {
    const { link, source, target } = scheduled;
    const common = { link, attempt: 1, phase: 'rounds', round: times.round, source, target, transport } as const;
    const dial = reach.links.get(link);
    if (!isDriven(scheduled) || dial == null) return { ...common, ...neverDriven, status: 'node_lost' };
    return slotOfLink(run, seats, { ...common, ...times, concurrent, dial });
  });
}

/** After the last slot has ended, waits for its reports within the grace period; slots that an end missed are repeated once. */
async function afterRounds(step: Step): Promise<void> {
  const ends = step.run.plan?.kind === 'slots' ? step.run.plan.ends_at_ms : 0;
  if (step.run.now_ms < ends) return void (await lookAgain(step, ends + recheckMs));
  if (!(await settlePhase(step))) return void (await lookAgain(step, step.run.now_ms + recheckMs));
  if (await repeatMissed(step)) return;
  await startRetests(await recordUndriven(step));
}

/**
 * Records links of rounds that were skipped because fewer than two nodes were left: links of lost nodes get the status
 * `node_lost`.
 */
async function recordUndriven(step: Step): Promise<Step> {
  const { planner, tx, key, run } = step;
  const lost = new Set(lostSeats(step));
  if (liveSeats(step).length >= 2) return step;
  const { rounds } = await planner.layouts.of(tx, run);
  const links = rounds.slice(run.next_round).flatMap((round, at) =>
    round
      .filter(({ source, target }) => lost.has(source) || lost.has(target))
      .map(({ link, source, target }): NewLink => ({
        link,
        attempt: 1,
        phase: 'rounds',
        round: run.next_round + at,
        source,
        target,
        transport: run.transport ?? 'tcp',
        ...neverDriven,
        status: 'node_lost',
      })),
  );
  await insertLinks(tx, key, run.sequence, links);
  return change(step, { next_round: rounds.length });
}
