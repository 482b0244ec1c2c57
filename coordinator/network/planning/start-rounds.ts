import { networkLimits, type NetworkTransport } from '../../contract/network-config.ts';
import { insertLinks, type NewLink } from '../queries/links.ts';
import type { RunRow } from '../run-row.ts';
import { pairNumber, pairOf } from '../schedule/pair-number.ts';
import { planGraph } from '../schedule/plan-graph.ts';
import type { Reachability } from './layout.ts';
import { planRounds } from './plan-rounds.ts';
import { neverDriven } from './slot-of-link.ts';
import { change, lostSeats, timeLeft, type Step } from './step.ts';

/** Chooses the graph for the time left, records links that can never be measured, and plans the first epoch. */
export async function startRounds(step: Step, transport: NetworkTransport, note: string | null): Promise<void> {
  const { run, planner, tx } = step;
  const without = lostSeats(step);
  const slotSeconds = slotSecondsOf(run, transport);
  const budgetSeconds = Math.max(0, timeLeft(step) / 1000);
  const graph = planGraph({
    nodes: step.seats.length,
    without,
    config: run.config === null ? null : { graph: run.config.graph, degree: run.config.degree },
    slotSeconds,
    budgetSeconds,
    seed: run.seed,
  });
  const begun = await change(step, {
    state: 'rounds',
    transport,
    next_round: 0,
    graph: {
      kind: graph.kind,
      degree: graph.degree,
      rounds: graph.rounds.length,
      links: graph.rounds.reduce((sum, round) => sum + round.length, 0),
      note: graph.note,
      without,
      slot_seconds: slotSeconds,
      budget_seconds: budgetSeconds,
    },
    ...(note !== null && { transport_note: note }),
  });
  const { reach } = await planner.layouts.of(tx, begun.run);
  await insertLinks(tx, step.key, 0, givenUp(step.seats.length, { reach, lost: without, transport }));
  await planRounds(begun);
}

export const slotSecondsOf = (run: Pick<RunRow, 'config'>, transport: NetworkTransport): number =>
  run.config?.slot_seconds ?? networkLimits.slotSeconds[transport];

/** Pairs that no round can measure: an end is already lost, or neither end could dial the other. */
function givenUp(
  count: number,
  { reach, lost, transport }: { reach: Reachability; lost: number[]; transport: NetworkTransport },
): NewLink[] {
  const give = (link: number, status: 'node_lost' | 'unreachable'): NewLink => ({
    link,
    attempt: 1,
    phase: 'preflight',
    round: null,
    ...pairOf(link, count),
    transport,
    ...neverDriven,
    status,
  });
  const gone = new Set(
    lost.flatMap((a) =>
      Array.from({ length: count }, (_, b) => b)
        .filter((b) => b !== a)
        .map((b) => pairNumber(a, b, count)),
    ),
  );
  const apart = [...reach.links].flatMap(([link, dial]) => (dial === null && !gone.has(link) ? link : []));
  return [...[...gone].map((link) => give(link, 'node_lost')), ...apart.map((link) => give(link, 'unreachable'))];
}
