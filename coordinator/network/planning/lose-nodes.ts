import { leaseMs } from '../network-times.ts';
import { updateSeatStates } from '../queries/seats.ts';
import { isLive, type SeatRow } from '../run-row.ts';
import type { Step } from './step.ts';

/**
 * Nodes that were silent for a lease are lost from here on; one that was heard of again, and has told of its dials, takes
 * part in what is planned next. Nobody is expected to say anything before `fromMs`.
 */
export async function loseNodes(step: Step, fromMs = step.run.returned_ms ?? 0): Promise<Step> {
  const { now_ms: now } = step.run;
  const isSilent = (seat: SeatRow): boolean => Math.max(seat.seen_ms, fromMs) < now - leaseMs;
  const lost = step.seats.filter((seat) => isLive(seat) && isSilent(seat)).map(({ node }) => node);
  const back = step.seats
    .filter((seat) => !isLive(seat) && seat.dials > 0 && seat.seen_ms > Math.max(seat.lost_ms ?? 0, now - leaseMs))
    .map(({ node }) => node);
  if (lost.length === 0 && back.length === 0) return step;
  await updateSeatStates(step.tx, step.key, { lost, back });
  const seats = step.seats.map((seat): SeatRow => {
    if (lost.includes(seat.node)) return { ...seat, state: 'lost', lost_ms: now };
    return back.includes(seat.node) ? { ...seat, state: 'joined', lost_ms: null } : seat;
  });
  return { ...step, seats };
}
