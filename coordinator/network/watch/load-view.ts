import type { NetworkPollResponse } from '../../contract/network-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { planForNode, type PlanView } from '../plan-for-node.ts';
import type { Layouts, Reachability } from '../planning/layout.ts';
import { selectSlots, type SlotRow } from '../queries/links.ts';
import { selectSeats } from '../queries/seats.ts';
import { runKeyOf, type RunRow } from '../run-row.ts';
import { pairOf } from '../schedule/pair-number.ts';

/** Loads the newest plan of a run with its slots by node, once for all waiting nodes. */
export async function loadView(sql: Queryable, layouts: Layouts, run: RunRow): Promise<PlanView> {
  const key = runKeyOf(run);
  const isSlots = run.plan?.kind === 'slots';
  const [seats, rows] = await Promise.all([selectSeats(sql, key), isSlots ? selectSlots(sql, key, run.sequence) : []]);
  if (!isSlots) return { run, seats, slots: new Map(), listen: new Map() };
  const slots = new Map<number, SlotRow[]>();
  for (const row of rows) {
    for (const node of [row.source, row.target]) {
      const own = slots.get(node);
      if (own) own.push(row);
      else slots.set(node, [row]);
    }
  }
  const { reach } = await layouts.of(sql, run);
  return { run, seats, slots, listen: listenersOf(reach, seats.length) };
}

const known = new WeakMap<Reachability, Map<number, Set<string>>>();

/** For each node, its addresses that other nodes dial in this run. */
function listenersOf(reach: Reachability, count: number): Map<number, Set<string>> {
  const found = known.get(reach);
  if (found) return found;
  const listen = new Map<number, Set<string>>();
  for (const [link, dial] of reach.links) {
    if (dial === null || dial.address === null) continue;
    const { source, target } = pairOf(link, count);
    const listener = dial.dialer === source ? target : source;
    const own = listen.get(listener) ?? new Set<string>();
    own.add(dial.address);
    listen.set(listener, own);
  }
  known.set(reach, listen);
  return listen;
}

/** The answer to a poll at `nowMs`: the node's part of the newest plan, if that is newer than the one it has. */
export function answerPoll(
  view: PlanView,
  node: number,
  { have, nowMs }: { have: number; nowMs: number },
): NetworkPollResponse {
  const { run } = view;
  return {
    sequence: run.sequence,
    state: run.state,
    now_ms: nowMs,
    plan: run.sequence > have && run.state !== 'ended' ? planForNode(view, node, { have, nowMs }) : null,
    progress: {
      nodes_joined: run.nodes_joined,
      nodes_expected: run.nodes_expected,
      nodes_lost: run.nodes_lost,
      rounds_done: roundsDone(view, nowMs),
      rounds: run.graph?.rounds ?? null,
      ends_at_ms: phaseEnd(view),
    },
    ended: run.outcome === null ? null : { outcome: run.outcome, message: run.message },
  };
}

/** Number of rounds whose time is over. */
function roundsDone({ run }: PlanView, nowMs: number): number {
  if (run.graph === null || run.rounds_started_ms === null) return 0;
  if (run.state !== 'rounds' || run.rounds_ended_ms === null) return run.next_round;
  const left = Math.ceil((run.rounds_ended_ms - nowMs) / (run.graph.slot_seconds * 1000));
  return Math.max(0, Math.min(run.next_round, run.next_round - left));
}

function phaseEnd({ run }: PlanView): number | null {
  if (run.state === 'rounds' && run.graph !== null && run.rounds_ended_ms !== null)
    // Slots that are repeated come after the rounds.
    return Math.max(
      run.plan?.ends_at_ms ?? 0,
      run.rounds_ended_ms + (run.graph.rounds - run.next_round) * run.graph.slot_seconds * 1000,
    );
  return run.plan?.ends_at_ms ?? null;
}
