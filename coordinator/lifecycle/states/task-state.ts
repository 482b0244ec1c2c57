import type { AgentPhase, TaskState } from '../../contract/agent-protocol.ts';

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

/** The state after `event`; the same state where it changes nothing (a node never goes back to an earlier phase). */
export function moveTask(state: TaskState, event: TaskEvent): TaskState {
  const target = targetOf(state, event);
  return taskTransitions[state].includes(target) ? target : state;
}

function targetOf(state: TaskState, event: TaskEvent): TaskState {
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
