import { type SeatRow, candidates, claims } from '../run-row.ts';
import { endRun } from './end-run.ts';
import { planRing } from './plan-ring.ts';
import { repeatDials } from './plan-preflight.ts';
import { startRounds } from './start-rounds.ts';
import { liveSeats, type Step } from './step.ts';

/**
 * Chooses the transport after the preflight: the best one that every node claims is checked next; TCP needs no check.
 */
export async function leavePreflight(step: Step): Promise<void> {
  const live = liveSeats(step);
  if (live.length < 2) return endRun(step, 'failed', `Only ${live.length} of ${step.seats.length} nodes were left.`);
  if (await repeatDials(step)) return;
  const asked = step.run.config?.transport ?? 'auto';
  if (asked === 'tcp') return startRounds(step, 'tcp', null);
  if (asked === 'auto') {
    const [first] = candidates(live);
    return first === undefined ? startRounds(step, 'tcp', whyTcp(live)) : planRing(step, first);
  }
  const without = live.filter((seat) => !claims(seat, asked));
  if (without.length === 0) return planRing(step, asked);
  return endRun(
    step,
    'failed',
    `The configuration asks for ${asked}, which ${namesOf(without)} ${without.length === 1 ? 'does' : 'do'} not offer.`,
  );
}

/** Why RDMA is not used; null if no node has it. */
function whyTcp(live: readonly SeatRow[]): string | null {
  const without = live.filter((seat) => !claims(seat, 'rdma_host'));
  return without.length === live.length ? null : `RDMA was not used: ${namesOf(without)} cannot take part.`;
}

/** Maximum number of names in a message. */
const MOST_NAMES = 3;

function namesOf(seats: readonly SeatRow[]): string {
  const names = seats.slice(0, MOST_NAMES).map((seat) => seat.hostname ?? seat.machine_uuid);
  const rest = seats.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(' and ');
}
