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
 * Advances a run by one step if that is due. Every request that finds it due calls this; the row's lock admits one at a
 * time, and the others find it done. False if nothing was due.
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
 * After the coordinator was unreachable, nodes come back one by one: waits until all are back, or one lease has passed.
 * Null while it waits.
 */
async function awaitReturn(step: Step): Promise<Step | null> {
  const { now_ms: now, due_ms: due } = step.run;
  const back = now - due > awayMs ? await change(step, { returned_ms: now }) : step;
  const returned = back.run.returned_ms ?? 0;
  if (now >= returned + leaseMs || liveSeats(back).every((seat) => seat.seen_ms >= returned)) return back;
  await lookAgain(back, now + recheckMs);
  return null;
}

/** Starts when all nodes of the job have joined, or when the window is over and no registered live node is still expected. */
async function decideJoining(step: Step): Promise<void> {
  const { tx, key, run, planner } = step;
  if (run.nodes_expected < 2)
    return endRun(step, 'skipped', 'cluster_network needs at least two nodes; this job has one.');
  const { coming } = await countJoining(tx, key, { now: planner.now(), liveStates: [...liveTaskStates] });
  const all = run.nodes_joined >= run.nodes_expected;
  if (!all && run.now_ms < run.joining_ends_ms) return void (await lookAgain(step, run.joining_ends_ms));
  if (!all && coming > 0 && run.now_ms < run.created_ms + longestJoinMs)
    return void (await lookAgain(step, run.now_ms + joinRecheckMs));
  // Hundreds of nodes that join at once are busy synchronising their clocks, so every lease begins when the last one
  // has joined.
  const begun = await loseNodes(step, Math.max(run.returned_ms ?? 0, ...step.seats.map(({ joined_ms }) => joined_ms)));
  const live = liveSeats(begun).length;
  if (live < 2)
    return endRun(begun, 'failed', `cluster_network needs two nodes; ${live} of ${run.nodes_expected} joined in time.`);
  await planPreflight(begun);
}

/** A step that has kept failing for this long will not succeed. */
const GIVE_UP_MS = 60_000;

/** For a step that exceeds the statement timeout; it has made many attempts by then. */
const GIVE_UP_SLOW_MS = 600_000;

/**
 * Ends a run whose due step keeps failing, so that its nodes do not wait forever. True if that was done; never for
 * temporary database or connection errors, except statement timeouts.
 */
export async function giveUp({ sql, log }: Planner, key: RunKey, error: unknown): Promise<boolean> {
  const patience = patienceWith(error);
  return sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    if (!run || run.state === 'ended' || run.now_ms - run.due_ms < patience) return false;
    log.error({ err: error, job_id: key.jobId }, 'a network run was given up');
    const message = 'The coordinator could not continue the measurement of links; the reason is in its log.';
    await markRunEnded(tx, key, { outcome: 'failed', message, summary: null });
    return true;
  });
}

function patienceWith(error: unknown): number {
  if (isDatabaseError(error, 'cancelled')) return GIVE_UP_SLOW_MS;
  return isDatabaseError(error, 'passing') ? Infinity : GIVE_UP_MS;
}

/**
 * Marks nodes that were silent for a lease as lost; a lost node that is back, and has reported its dials, takes part in
 * the next plan. Silence before `fromMs` does not count.
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
