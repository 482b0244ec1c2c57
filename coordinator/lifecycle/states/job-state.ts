import type { JobState } from '../../contract/agent-protocol.ts';

/** Every legal move of a job; the CHECK of job.state lists the same states. */
export const jobTransitions: Record<JobState, readonly JobState[]> = {
  created: ['starting', 'aborted'],
  starting: ['running', 'aborted'],
  running: ['completed', 'completed_with_warnings', 'failed', 'aborted'],
  // a late result of a node given up
  failed: ['completed_with_warnings'],
  completed: [],
  completed_with_warnings: [],
  aborted: [],
};

/** What may happen to a job, and where it leads. `ended` carries the outcome of its nodes (job-outcome.ts). */
export type JobEvent =
  | { kind: 'node_registered' }
  | { kind: 'registration_closed' }
  | { kind: 'nodes_settled'; outcome: JobState }
  | { kind: 'late_result' }
  | { kind: 'aborted' };

const targetOf = (event: JobEvent): JobState => {
  switch (event.kind) {
    case 'node_registered':
      return 'starting';
    case 'registration_closed':
      return 'running';
    case 'nodes_settled':
      return event.outcome;
    case 'late_result':
      return 'completed_with_warnings';
    case 'aborted':
      return 'aborted';
  }
};

/** The state after `event`, or null where the table has no such move. */
export function moveJob(state: JobState, event: JobEvent): JobState | null {
  // Only a failed job is moved by a late result: of the others the outcome stands.
  if (event.kind === 'late_result' && state !== 'failed') return null;
  const target = targetOf(event);
  return jobTransitions[state].includes(target) ? target : null;
}

export const activeJobStates = ['created', 'starting', 'running'] as const satisfies JobState[];
export const undeletableJobStates = ['starting', 'running'] as const satisfies JobState[];

export const jobHasEnded = (state: JobState): boolean => !activeJobStates.some((active) => active === state);

/** Seconds from the first registration until the job goes on with the nodes it has: a cluster's slowest boot and queue. */
export const registrationWindowSeconds = 600;
/** Seconds a lost node holds its job open: longer than a reboot, shorter than a person's patience. */
export const lostNodeWaitSeconds = 600;
/** Days after its end in which a job still takes late results. */
export const archiveAfterDays = 30;
