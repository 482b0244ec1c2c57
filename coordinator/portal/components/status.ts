import { html, raw, type Content, type Html } from '../frame/html.ts';
import type { JobState, TaskState } from '../../contract/agent-protocol.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'run' | 'none';

/**
 * One shape per status, so that none is identified by colour alone: tick in a disc, triangle, crossed octagon, half
 * disc, ring.
 */
const shapes: Record<Tone, string> = {
  ok: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM6.9 11.4 3.6 8.1l1.3-1.3 2 2 4.2-4.2 1.3 1.3Z',
  warn: 'M8 1 .8 14.5h14.4ZM7.1 6h1.8v4.3H7.1Zm0 5.5h1.8v1.7H7.1Z',
  bad: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Zm.7 3.6L4.6 5.8 6.8 8l-2.2 2.2 1.2 1.2L8 9.2l2.2 2.2 1.2-1.2L9.2 8l2.2-2.2-1.2-1.2L8 6.8Z',
  run: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.8v10.4A5.2 5.2 0 0 1 8 2.8Z',
  none: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 8 2.8Z',
};

export const statusShape = (tone: Tone): Html =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d="${raw(shapes[tone])}" /></svg>`;

export const status = (tone: Tone, word: Content): Html =>
  html`<span class="st ${tone}">${statusShape(tone)}<span>${word}</span></span>`;

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
