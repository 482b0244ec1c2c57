import { liveTaskStates } from '../../lifecycle/states/task-state.ts';
import { joinRecheckMs, longestJoinMs } from '../network-times.ts';
import { countJoining } from '../queries/seats.ts';
import { endRun } from './end-run.ts';
import { loseNodes } from './lose-nodes.ts';
import { planPreflight } from './plan-preflight.ts';
import { liveSeats, lookAgain, type Step } from './step.ts';

/**
 * Begins when all nodes of the job have joined, else when the window is over and nobody who is registered and alive is
 * still to come.
 */
export async function decideJoining(step: Step): Promise<void> {
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
