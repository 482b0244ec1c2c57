import { awayMs, leaseMs, recheckMs } from '../network-times.ts';
import { lockRun } from '../queries/runs.ts';
import { selectSeats } from '../queries/seats.ts';
import type { RunKey } from '../run-row.ts';
import { decideJoining } from './decide-joining.ts';
import { endWithCollective } from './plan-collective.ts';
import { giveUp } from './give-up.ts';
import { leavePreflight } from './leave-preflight.ts';
import { loseNodes } from './lose-nodes.ts';
import { planRetests } from './plan-retests.ts';
import { judgeRing } from './plan-ring.ts';
import { planRounds } from './plan-rounds.ts';
import { change, liveSeats, lookAgain, stepOf, type Planner, type Step } from './step.ts';

/**
 * Takes a run one step further if that is due: whichever request finds it so comes here, and the row's lock lets one of
 * them in at a time. The others find it done. False where nothing was due.
 */
export async function planNext(planner: Planner, key: RunKey): Promise<boolean> {
  try {
    return await takeStep(planner, key);
  } catch (error) {
    if (await giveUp(planner, key, error)) return true;
    throw error;
  }
}

async function takeStep(planner: Planner, key: RunKey): Promise<boolean> {
  return planner.sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    if (!run || run.state === 'ended' || run.due_ms > run.now_ms) return false;
    const step = stepOf(planner, tx, run, await selectSeats(tx, key));
    await decidePhase(step);
    return true;
  });
}

async function decidePhase(seen: Step): Promise<void> {
  const awaited = await awaitReturn(seen);
  if (awaited === null) return;
  if (awaited.run.state === 'joining') return decideJoining(awaited);
  const step = await loseNodes(awaited);
  switch (step.run.state) {
    case 'preflight':
      return leavePreflight(step);
    case 'ring':
      return judgeRing(step);
    case 'rounds':
      return planRounds(step);
    case 'retests':
      return planRetests(step);
    default:
      return endWithCollective(step);
  }
}

/**
 * After an absence of the coordinator nodes come back one by one: nothing is planned before all have, or before each has
 * had a lease for it. Null: not yet.
 */
async function awaitReturn(step: Step): Promise<Step | null> {
  const { now_ms: now, due_ms: due } = step.run;
  const back = now - due > awayMs ? await change(step, { returnedMs: now }) : step;
  const returned = back.run.returned_ms ?? 0;
  if (now >= returned + leaseMs || liveSeats(back).every((seat) => seat.seen_ms >= returned)) return back;
  await lookAgain(back, now + recheckMs);
  return null;
}
