import type { JobState, TaskState } from '../../contract/agent-protocol.ts';
import { lostNodeWaitSeconds } from './job-state.ts';
import { taskHasEnded } from './task-state.ts';

export interface NodeOutcome {
  state: TaskState;
  lost_at: Date | null;
  /** warnings of the node itself */
  warning_count: number;
}

/**
 * How a running job ends, or null while it goes on. It ends when every node is terminal, or lost for longer than
 * `lostNodeWaitSeconds`. All completed and no warning of a node or the job: completed. Some completed:
 * completed_with_warnings.
 * None: aborted where every node was stopped by its operator, else failed.
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
