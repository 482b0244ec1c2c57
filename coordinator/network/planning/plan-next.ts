import { liveTaskStates } from '../../lifecycle/states.ts';
import { isDatabaseError } from '../../platform/db/error-kind.ts';
import { awayMs, joinRecheckMs, leaseMs, longestJoinMs, recheckMs } from '../network-times.ts';
import { lockRun, markRunEnded } from '../queries/runs.ts';
import { countJoining, selectSeats, updateSeatStates } from '../queries/seats.ts';
import { isLive, type RunKey, type SeatRow } from '../run-row.ts';
import { endRun } from './end-run.ts';
import { leavePreflight } from './leave-preflight.ts';
import { endWithCollective } from './plan-collective.ts';
import { planPreflight } from './plan-preflight.ts';
import { planRetests } from './plan-retests.ts';
import { judgeRing } from './plan-ring.ts';
import { planRounds } from './plan-rounds.ts';
import { change, liveSeats, lookAgain, type Planner, type Step, stepOf } from './step.ts';

/**
 * Takes a run one step further if that is due. Every request that finds it due comes here; the row's lock lets in one at
 * a time, and the others find it done. False if nothing was due.
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
  const back = now - due > awayMs ? await change(step, { returned_ms: now }) : step;
  const returned = back.run.returned_ms ?? 0;
  if (now >= returned + leaseMs || liveSeats(back).every((seat) => seat.seen_ms >= returned)) return back;
  await lookAgain(back, now + recheckMs);
  return null;
}

/**
 * Begins when all nodes of the job have joined, else when the window is over and nobody who is registered and alive is
 * still to come.
 */
async function decideJoining(step: Step): Promise<void> {
  const { tx, key, run, planner } = step;
  if (run.nodes_expected < 2)
    return endRun(step, 'skipped', 'cluster_network needs at least two nodes; this job has one.');
  const { coming } = await countJoining(tx, key, { now: planner.now(), liveStates: [...liveTaskStates] });
  const all = run.nodes_joined >= run.nodes_expected;
  if (!all && run.now_ms < run.joining_ends_ms) return void (await lookAgain(step, run.joining_ends_ms));
  if (!all && coming > 0 && run.now_ms < run.created_ms + longestJoinMs)
    return void (await lookAgain(step, run.now_ms + joinRecheckMs));
  // Two hundred nodes that join at once are busy with reading the clock; the lease of all begins with the last one.
  const begun = await loseNodes(step, Math.max(run.returned_ms ?? 0, ...step.seats.map(({ joined_ms }) => joined_ms)));
  const live = liveSeats(begun).length;
  if (live < 2)
    return endRun(begun, 'failed', `cluster_network needs two nodes; ${live} of ${run.nodes_expected} joined in time.`);
  await planPreflight(begun);
}

/** A step that has failed again and again for so long will not succeed. */
const GIVE_UP_MS = 60_000;

/** ... and one that takes longer than a statement may has had many tries by then. */
const GIVE_UP_SLOW_MS = 600_000;

/**
 * Ends a run whose due step fails for a reason of its own, so that its nodes do not wait for ever. True if that was
 * done; trouble of the database or the way to it passes by itself and is never a reason.
 */
export async function giveUp({ sql, log }: Planner, key: RunKey, error: unknown): Promise<boolean> {
  const patience = patienceWith(error);
  return sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    if (!run || run.state === 'ended' || run.now_ms - run.due_ms < patience) return false;
    log.error({ err: error, job_id: key.jobId }, 'a network run was given up');
    const message = 'The coordinator could not go on with the measurement of links; its log says why.';
    await markRunEnded(tx, key, { outcome: 'failed', message, summary: null });
    return true;
  });
}

function patienceWith(error: unknown): number {
  if (isDatabaseError(error, 'cancelled')) return GIVE_UP_SLOW_MS;
  return isDatabaseError(error, 'passing') ? Infinity : GIVE_UP_MS;
}

/**
 * Nodes that were silent for a lease are lost from here on; one that was heard of again, and has told of its dials, takes
 * part in what is planned next. Nobody is expected to say anything before `fromMs`.
 */
async function loseNodes(step: Step, fromMs = step.run.returned_ms ?? 0): Promise<Step> {
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
