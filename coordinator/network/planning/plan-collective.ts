import { collective as times, graceMs } from '../network-times.ts';
import type { StoredCollective } from '../run-row.ts';
import { endRun } from './end-run.ts';
import { change, liveSeats, timeLeft, type Step } from './step.ts';

/**
 * The last phase, if every node has the same library: a collective operation of all nodes, with a time limit. Otherwise
 * the run ends.
 */
export async function startCollective(step: Step): Promise<void> {
  const { run } = step;
  const live = liveSeats(step);
  const [first] = live;
  const library = first?.capabilities.collective?.library;
  const possible =
    run.config?.collective !== 'off' &&
    library !== undefined &&
    live.length === step.seats.length &&
    live.every(({ capabilities }) => capabilities.collective?.library === library);
  if (!possible) return endRun(step, 'completed', null);
  if (timeLeft(step) < times.leastMs)
    return endAbsent(step, `No time was left for the collective operations of ${library}.`);
  const ends = run.now_ms + Math.min(times.longestMs, timeLeft(step));
  let ranks = 0;
  const seats = live.map(({ node, capabilities }) => {
    const devices = capabilities.collective?.devices ?? 1;
    const seat = { node, first_rank: ranks, devices };
    ranks += devices;
    return seat;
  });
  const sequence = run.sequence + 1;
  const collective: StoredCollective = {
    id: `c.${sequence}`,
    library,
    ranks,
    seats,
    unique_id: null,
    ends_at_ms: ends,
    result: null,
    message: null,
    reported: [],
  };
  await change(step, {
    state: 'collective',
    sequence,
    collective,
    plan: { kind: 'collective', starts_at_ms: run.now_ms, ends_at_ms: ends, made_at_ms: run.now_ms },
    due_ms: ends + graceMs,
  });
}

/** Due once there are figures, a node failed, or all reported; or at its time limit. Its failure does not fail the run. */
export async function endWithCollective(step: Step): Promise<void> {
  const { collective } = step.run;
  if (collective?.result != null) return endRun(step, 'completed', null);
  return endAbsent(step, collective?.message ?? 'The collective operations did not end in time.');
}

async function endAbsent(step: Step, message: string): Promise<void> {
  const absent = step.run.collective ?? {
    id: '',
    library: 'nccl' as const,
    ranks: 0,
    seats: [],
    unique_id: null,
    ends_at_ms: step.run.now_ms,
    reported: [],
  };
  const noted = await change(step, { collective: { ...absent, result: null, message } });
  await endRun(noted, 'completed', null);
}
