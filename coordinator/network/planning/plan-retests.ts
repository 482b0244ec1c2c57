import { leadMs, leastLeadMs, recheckMs, retestAttempts, fitting } from '../network-times.ts';
import { insertLinks } from '../queries/links.ts';
import { pairOf } from '../schedule/pair-number.ts';
import { judgeLinks } from './judge-links.ts';
import { startCollective } from './plan-collective.ts';
import { settlePhase } from './settle-links.ts';
import { slotOfLink } from './slot-of-link.ts';
import { change, liveSeats, lookAgain, nowOf, type Step } from './step.ts';

/** After the rounds, measures suspect links again alone, twice, worst first, while there is time. */
export async function startRetests(step: Step): Promise<void> {
  const { judgement } = await judgeLinks(step);
  const queue = (judgement?.retests ?? []).flatMap((link) =>
    retestAttempts.map((attempt): [number, number] => [link, attempt]),
  );
  const { run } = step;
  const plan = { ...(run.plan ?? emptyPlan(run.now_ms)), queue };
  const begun = await change(step, { state: 'retests', plan });
  await planRetests(begun);
}

const emptyPlan = (now: number) => ({ kind: 'slots' as const, starts_at_ms: now, ends_at_ms: now, made_at_ms: now });

/** Plans slots in sequence, each alone on the network. */
export async function planRetests(step: Step): Promise<void> {
  const { planner, tx, key, run, seats } = step;
  const { plan, graph, transport } = run;
  if (plan === null || graph === null || transport === null) throw new Error('retests without rounds');
  const slotMs = graph.slot_seconds * 1000;
  const { reach } = await planner.layouts.of(tx, run);
  const start = Math.max(plan.ends_at_ms, nowOf(step) + leastLeadMs);
  const live = new Set(liveSeats(step).map(({ node }) => node));
  const possible = (plan.queue ?? []).filter(([link]) => {
    const { source, target } = pairOf(link, seats.length);
    return live.has(source) && live.has(target) && reach.links.get(link) != null;
  });
  const count = fitting(run.deadline_ms ?? 0, start, slotMs);
  const next = possible.slice(0, count);
  if (next.length === 0) return afterRetests(step);
  const sequence = run.sequence + 1;
  const links = next.flatMap(([link, attempt], at) => {
    const dial = reach.links.get(link);
    const slot = { link, attempt, phase: 'retests', round: null, ...pairOf(link, seats.length) } as const;
    if (dial == null) return [];
    return slotOfLink(run, seats, { ...slot, startsAtMs: start + at * slotMs, slotMs, transport, concurrent: 1, dial });
  });
  await insertLinks(tx, key, sequence, links);
  const queue = possible.slice(count);
  const end = start + next.length * slotMs;
  const more = queue.length > 0 && fitting(run.deadline_ms ?? 0, end, slotMs) > 0;
  await change(step, {
    sequence,
    plan: { kind: 'slots', starts_at_ms: start, ends_at_ms: end, made_at_ms: nowOf(step), queue },
    due_ms: more ? end - leadMs : end + recheckMs,
  });
}

async function afterRetests(step: Step): Promise<void> {
  const { run } = step;
  const ends = run.plan?.ends_at_ms ?? 0;
  if (run.now_ms < ends) return void (await lookAgain(step, ends + recheckMs));
  if (!(await settlePhase(step))) return void (await lookAgain(step, run.now_ms + recheckMs));
  await startCollective(step);
}
