import { networkLimits } from '../../contract/network-config.ts';
import { leastLeadMs, preflight } from '../network-times.ts';
import { selectDials, updateDials } from '../queries/seats.ts';
import type { SeatRow, StoredPlan } from '../run-row.ts';
import { change, liveSeats, type Step } from './step.ts';

/** Plans one dial for every ordered pair. The configured time limit starts here. */
export async function planPreflight(step: Step): Promise<void> {
  const { run } = step;
  const live = liveSeats(step);
  const plan = {
    ...timesOf(step, live, live.length - 1),
    seats: live.map(({ node }) => node),
    listeners: live.filter(({ endpoints }) => endpoints.length > 0).map(({ node }) => node),
  };
  await change(step, {
    state: 'preflight',
    sequence: run.sequence + 1,
    started_ms: run.now_ms,
    deadline_ms: run.now_ms + (run.config?.timeout ?? networkLimits.timeoutSeconds.default) * 1000,
    plan,
    due_ms: plan.ends_at_ms,
  });
}

/**
 * Failed dials are repeated only up to this number; more are not failures by chance, and their plan would be too large.
 */
const MOST_REPEATED = 4096;

/**
 * Repeats failed dials once before any node is judged, so that a machine that was busy for a second is not called
 * unreachable. False if none is repeated.
 */
export async function repeatDials(step: Step): Promise<boolean> {
  const { tx, key, run } = step;
  const first = run.plan;
  if (first?.kind !== 'preflight' || first.turn === 2) return false;
  const live = liveSeats(step);
  const listeners = (first.listeners ?? []).filter((node) => live.some((seat) => seat.node === node));
  const good = new Map(
    (await selectDials(tx, key)).map(({ node, preflight: dials }) => [
      node,
      dials.filter(({ status }) => status === 'ok'),
    ]),
  );
  const failed = live.map(({ node }) => ({
    node,
    to: listeners.filter((other) => other !== node && !good.get(node)?.some((dial) => dial.node === other)),
  }));
  const pairs = failed.flatMap(({ node, to }) => to.map((other): [number, number] => [node, other]));
  if (pairs.length === 0 || pairs.length > MOST_REPEATED) return false;
  for (const { node, to } of failed) if (to.length > 0) await updateDials(tx, key, node, good.get(node) ?? []);
  const plan = {
    ...timesOf(step, live, Math.max(...failed.map(({ to }) => to.length))),
    seats: live.map(({ node }) => node),
    listeners,
    turn: 2 as const,
    pairs,
  };
  await change(step, { sequence: run.sequence + 1, plan, due_ms: plan.ends_at_ms });
  return true;
}

/** Worst-case duration, if every dial of a node times out on all addresses. */
function timesOf(
  { run }: Step,
  live: readonly SeatRow[],
  dials: number,
): Pick<StoredPlan, 'starts_at_ms' | 'ends_at_ms' | 'made_at_ms'> & { kind: 'preflight' } {
  const starts = run.now_ms + leastLeadMs + preflight.perNodeMs * live.length;
  const addresses = Math.max(1, ...live.map(({ endpoints }) => endpoints.length));
  const turns = Math.ceil(dials / preflight.atOnce) * addresses;
  return {
    kind: 'preflight',
    starts_at_ms: starts,
    ends_at_ms: starts + preflight.timeoutMs * turns + preflight.marginMs,
    made_at_ms: run.now_ms,
  };
}
