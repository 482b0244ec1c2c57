import type { JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Html } from '../frame/html.ts';
import { status, type Tone } from './status.ts';

export const jobTones: Record<JobState, Tone> = {
  created: 'none',
  starting: 'run',
  running: 'run',
  completed: 'ok',
  completed_with_warnings: 'warn',
  failed: 'bad',
  aborted: 'none',
};

const taskTones: Record<TaskState, Tone> = {
  registered: 'run',
  running: 'run',
  uploading: 'run',
  completed: 'ok',
  failed: 'bad',
  aborted: 'none',
  lost: 'bad',
};

export const jobStateStatus = (state: JobState): Html => status(jobTones[state], state.replaceAll('_', ' '));
export const taskStateStatus = (state: TaskState): Html => status(taskTones[state], state);

/** Three significant digits: no figure of a job is steadier than that from run to run. */
export const digits = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
