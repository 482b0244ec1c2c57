import { epoch, fitting, leastLeadMs, recheckMs } from '../network-times.ts';
import { lockMissed, repeatLinks, type LinkRow, type NewLink } from '../queries/links.ts';
import type { Layout } from './layout.ts';
import { slotOfLink } from './slot-of-link.ts';
import { change, liveSeats, nowOf, type Step } from './step.ts';

/**
 * Codes of an end that did not perform its slot: the agent got the plan too late, its runner got the slot too late, or
 * the runner was stalled until after the slot's end.
 */
const missedCodes = ['PLAN_LATE', 'TOO_LATE', 'RUNNER_SILENT'];

/** Share of the run's time after which no slot is repeated: the rest is for retests and the collective. */
const REPEAT_UNTIL = 0.85;

/**
 * A node that missed all of its slots for longer than two plans last is itself at fault: it would miss the repeated
 * ones too.
 */
const LONGEST_ABSENCE_MS = 2 * epoch.maxMs;

/**
 * Repeats the slots of the rounds that an end missed, once each and grouped by their rounds. A plan made just before the
 * coordinator is killed does not reach every node in time, and a busy machine may not run an agent for seconds. Neither
 * is the links' fault, but a failed attempt would make them `unstable`. A slot missed twice is left to the retests, and so
 * is every slot while a replica of an older release serves nodes too: it does not know a slot's second id, so the repeated
 * slot fails. False if none is repeated.
 */
export async function repeatMissed(step: Step): Promise<boolean> {
  const { planner, tx, key, run } = step;
  const { graph } = run;
  if (graph === null) throw new Error('rounds without a graph');
  const missed = await lockMissed(tx, key, missedCodes);
  if (missed.length === 0) return false;
  const layout = await planner.layouts.of(tx, run);
  const slotMs = graph.slot_seconds * 1000;
  const start = nowOf(step) + leastLeadMs;
  const [begun, deadline] = [run.started_ms ?? start, run.deadline_ms ?? start];
  const count = fitting(begun + REPEAT_UNTIL * (deadline - begun), start, slotMs);
  const rounds = [...Map.groupBy(repeatable(step, missed, layout), ({ round }) => round).values()].slice(0, count);
  if (rounds.length === 0) return false;
  const links = rounds.flatMap((round, at) =>
    round.map((link) => ({
      ...link,
      concurrent_links: round.length,
      starts_at_ms: start + at * slotMs,
      slot_ms: slotMs,
    })),
  );
  const sequence = run.sequence + 1;
  await repeatLinks(tx, key, sequence, links);
  const end = start + rounds.length * slotMs;
  await change(step, {
    sequence,
    plan: { kind: 'slots', starts_at_ms: start, ends_at_ms: end, made_at_ms: nowOf(step) },
    due_ms: end + recheckMs,
  });
  return true;
}

/** Placeholders: known once it is decided which slots are repeated, and in which round. */
const notYet = { startsAtMs: 0, slotMs: 0, concurrent: 0 };

/** The slots of these attempts between live nodes that can be dialled and did not miss all of their own slots. */
function repeatable({ run, seats }: Step, missed: readonly LinkRow[], { rounds, reach }: Layout): NewLink[] {
  const { transport } = run;
  if (transport === null) throw new Error('rounds without a transport');
  const absent = absentNodes(missed, rounds.flat());
  const present = new Set(liveSeats({ seats }).flatMap(({ node }) => (absent.has(node) ? [] : node)));
  return missed.flatMap(({ link, attempt, phase, round, source, target }) => {
    const dial = reach.links.get(link);
    if (dial == null || !present.has(source) || !present.has(target)) return [];
    const pair = { link, attempt, phase, round, source, target, transport, dial };
    const planned = slotOfLink(run, seats, { ...pair, ...notYet });
    // Without a port to dial the attempt stays as it is.
    return planned.starts_at_ms === null ? [] : [planned];
  });
}

type Ends = Pick<LinkRow, 'source' | 'target'>;

/** Nodes that missed every slot that was planned for them, for longer than two plans last. */
export function absentNodes(
  missed: readonly (Ends & Pick<LinkRow, 'starts_at'>)[],
  planned: readonly Ends[],
): Set<number> {
  const starts = new Map<number, number[]>();
  for (const { source, target, starts_at } of missed)
    for (const node of [source, target]) starts.set(node, [...(starts.get(node) ?? []), starts_at?.getTime() ?? 0]);
  const isOf = (node: number) => (link: Ends) => link.source === node || link.target === node;
  const isAbsent = ([node, own]: [number, number[]]): boolean =>
    Math.max(...own) - Math.min(...own) > LONGEST_ABSENCE_MS && own.length === planned.filter(isOf(node)).length;
  return new Set([...starts].filter(isAbsent).map(([node]) => node));
}
