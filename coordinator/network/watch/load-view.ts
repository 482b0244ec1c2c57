import type { Queryable } from '../../platform/db/client.ts';
import type { PlanView } from '../plan-for-node.ts';
import type { Layouts, Reach } from '../planning/layout.ts';
import { selectSlots, type SlotRow } from '../queries/links.ts';
import { selectSeats } from '../queries/seats.ts';
import { pairOf } from '../schedule/pair-number.ts';
import { runKeyOf, type RunRow } from '../run-row.ts';

/** The newest plan of a run with its slots by node, read once for all nodes that wait for it. */
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

const known = new WeakMap<Reach, Map<number, Set<string>>>();

/** Addresses of each node that other nodes dial in this run. */
function listenersOf(reach: Reach, count: number): Map<number, Set<string>> {
  const found = known.get(reach);
  if (found) return found;
  const listen = new Map<number, Set<string>>();
  for (const [link, way] of reach.links) {
    if (way === null || way.address === null) continue;
    const { source, target } = pairOf(link, count);
    const listener = way.dialer === source ? target : source;
    const own = listen.get(listener) ?? new Set<string>();
    own.add(way.address);
    listen.set(listener, own);
  }
  known.set(reach, listen);
  return listen;
}
