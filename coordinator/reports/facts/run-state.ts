import type { Grade } from '../../contract/judgement.ts';
import type { JobReport, ReportNode } from '../report-model.ts';
import { printCount } from './print-number.ts';

/** How far a run got, beside its verdict. */
export interface RunState {
  /** instead of the verdict's own words, where the run has not ended */
  title: string | null;
  /** instead of the verdict's grade */
  grade: Grade | null;
  sentence: string;
}

const unfinished: RunState = {
  title: 'Not finished',
  grade: 'not_measured',
  sentence: 'This report was made before the run ended; a newer one replaces it.',
};

export function nodeState({ state, failedMessage }: ReportNode): RunState {
  const because = failedMessage ?? 'no reason was given';
  if (state === 'failed') return { title: null, grade: 'bad', sentence: `The run failed: ${because}` };
  if (state === 'aborted') return { title: null, grade: 'bad', sentence: `The run was aborted: ${because}` };
  if (state === 'lost')
    return {
      title: null,
      grade: 'bad',
      sentence: 'Contact with the machine was lost before it said that it had finished.',
    };
  return state === 'completed' ? { title: null, grade: null, sentence: 'The run was completed.' } : unfinished;
}

export function jobState({ job, nodes }: JobReport): RunState {
  const [only] = nodes;
  const done = nodes.filter(({ state }) => state === 'completed').length;
  const delivered = `${done} of ${printCount(job.nodeCount, 'expected node')} delivered`;
  const joined = nodes.length === 0 ? '; no machine joined' : '';
  const reason = job.nodeCount === 1 && only?.failedMessage ? ` ${only.failedMessage}` : '';
  if (job.state === 'failed')
    return { title: null, grade: 'bad', sentence: `The job failed: ${delivered}${joined}.${reason}` };
  if (job.state === 'aborted')
    return { title: null, grade: 'bad', sentence: `The job was aborted: ${delivered} before that${joined}.` };
  if (job.state === 'completed' || job.state === 'completed_with_warnings')
    return { title: null, grade: null, sentence: `Completed: ${delivered}.` };
  return unfinished;
}
