import { resultLimits, type ResultsRequest } from '../contract/agent-protocol.ts';
import { DomainError } from '../platform/errors.ts';
import type { LockedJob, LockedTask } from '../lifecycle/locked-rows.ts';
import { jobHasEnded } from '../lifecycle/states/job-state.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import type { StoredResult } from './queries/results.ts';

/**
 * Whether a result that is not stored yet counts or is kept aside: after the end the one that counts stays. Throws 409
 * RESULT_LIMIT where the task, or this attempt of its session, has as many as are stored.
 */
export function placeResult(
  { job, task }: { job: LockedJob; task: LockedTask },
  stored: readonly StoredResult[],
  input: ResultsRequest & { item: number },
): { keptAside: boolean } {
  const ended = taskHasEnded(task.state) || jobHasEnded(job.state);
  const counted = stored.filter((one) => !one.kept_aside);
  const ofPlace = counted.filter(
    (one) => one.benchmark_id === input.benchmark_id && (one.item ?? input.item) === input.item,
  );
  const { per_task, per_attempt, kept_aside } = resultLimits;
  if (ended && ofPlace.length > 0) {
    if (stored.length - counted.length >= kept_aside)
      throw full(`The task has ended, and ${kept_aside} results are kept beside the ones that count`);
    return { keptAside: true };
  }
  if (counted.length >= per_task) throw full(`The task has its ${per_task} results`);
  const ofAttempt = ofPlace.filter((one) => one.epoch === task.epoch && one.attempt === input.attempt);
  if (ofAttempt.length >= per_attempt)
    throw full(`Attempt ${input.attempt} of ${input.benchmark_id} has its ${per_attempt} results`);
  return { keptAside: false };
}

const full = (what: string): DomainError =>
  new DomainError('conflict', `${what}; what counts stays. Create a job to measure again.`, { code: 'RESULT_LIMIT' });
