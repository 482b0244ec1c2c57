import type { AgentPhase, JobState, TaskState } from '../contract/agent-protocol.ts';

/** Every legal move of a job; the CHECK of job.state lists the same states. */
export const jobTransitions: Record<JobState, readonly JobState[]> = {
  created: ['starting', 'aborted'],
  starting: ['running', 'aborted'],
  running: ['completed', 'completed_with_warnings', 'failed', 'aborted'],
  // a late result of a node that was given up
  failed: ['completed_with_warnings'],
  completed: [],
  completed_with_warnings: [],
  aborted: [],
};

/** What can happen to a job. `nodes_settled` carries the outcome of its nodes (`jobOutcome`). */
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

/** The state after `event`, or null if the table has no such move. */
export function moveJob(state: JobState, event: JobEvent): JobState | null {
  // A late result moves only a failed job: the others keep their outcome.
  if (event.kind === 'late_result' && state !== 'failed') return null;
  const target = targetOf(event);
  return jobTransitions[state].includes(target) ? target : null;
}

const activeJobStates = ['created', 'starting', 'running'] as const satisfies JobState[];
export const undeletableJobStates = ['starting', 'running'] as const satisfies JobState[];

export const jobHasEnded = (state: JobState): boolean => !activeJobStates.some((active) => active === state);

/** Seconds from the first registration until the job goes on with the nodes it has: a cluster's slowest boot and queue fit in. */
export const registrationWindowSeconds = 600;

/** Seconds a lost node holds its job open: longer than a reboot, shorter than a person's patience. */
export const lostNodeWaitSeconds = 600;

/** Days after its end during which a job still takes late results. */
export const archiveAfterDays = 30;

export interface NodeOutcome {
  state: TaskState;
  lost_at: Date | null;
  /** warnings of the node itself */
  warning_count: number;
}

/**
 * How a running job ends, or null while it goes on. It ends when every node is terminal, or lost for longer than
 * `lostNodeWaitSeconds`. All completed and no warning of a node or the job: completed. Some completed:
 * completed_with_warnings. None: aborted if every node was stopped by its operator, else failed.
 */
export function jobOutcome(nodes: readonly NodeOutcome[], jobWarningCount: number, now: Date): JobState | null {
  if (nodes.length === 0 || nodes.some((node) => !isSettled(node, now))) return null;
  const completed = nodes.filter((node) => node.state === 'completed');
  if (completed.length === 0) return nodes.every((node) => node.state === 'aborted') ? 'aborted' : 'failed';
  const clean =
    completed.length === nodes.length && jobWarningCount === 0 && nodes.every((node) => node.warning_count === 0);
  return clean ? 'completed' : 'completed_with_warnings';
}

function isSettled(node: NodeOutcome, now: Date): boolean {
  if (taskHasEnded(node.state)) return true;
  return node.lost_at !== null && now.getTime() - node.lost_at.getTime() >= lostNodeWaitSeconds * 1000;
}

/** Every legal move of a task; the CHECK of task.state lists the same states. */
export const taskTransitions: Record<TaskState, readonly TaskState[]> = {
  // a run shorter than one beat goes from registered straight to uploading; a node may die while it waits
  registered: ['running', 'uploading', 'failed', 'aborted', 'lost'],
  running: ['uploading', 'completed', 'failed', 'aborted', 'lost'],
  uploading: ['completed', 'failed', 'aborted', 'lost'],
  lost: ['running', 'uploading', 'completed', 'failed', 'aborted'],
  completed: [],
  failed: [],
  aborted: [],
};

export type TaskEvent =
  /** a beat in this phase, or a new session that takes a lost node over */
  | { kind: 'beat'; phase: AgentPhase }
  | { kind: 'result' }
  | { kind: 'ended'; outcome: 'completed' | 'failed' | 'aborted' }
  | { kind: 'lease_ran_out' };

/** The state after `event`; the same state if it changes nothing (a node never goes back to an earlier phase). */
export function moveTask(state: TaskState, event: TaskEvent): TaskState {
  const target = stateAfter(state, event);
  return taskTransitions[state].includes(target) ? target : state;
}

function stateAfter(state: TaskState, event: TaskEvent): TaskState {
  switch (event.kind) {
    case 'beat':
      if (event.phase === 'uploading') return 'uploading';
      return event.phase === 'measuring' || state === 'lost' ? 'running' : state;
    case 'result':
      return 'uploading';
    case 'ended':
      return event.outcome;
    case 'lease_ran_out':
      return 'lost';
  }
}

export const liveTaskStates = ['registered', 'running', 'uploading'] as const satisfies TaskState[];

export const taskHasEnded = (state: TaskState): boolean =>
  state === 'completed' || state === 'failed' || state === 'aborted';
