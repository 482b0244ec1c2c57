import type { JobReport, TaskReport } from '../report-model.ts';
import type { Finding, Tone } from './finding.ts';
import { printCount } from './print-number.ts';

export interface Verdict {
  tone: Tone;
  words: string;
  sentence: string;
}

/** The verdict of one node: its state, made worse by what was found, never better. */
export function taskVerdict({ node }: TaskReport, findings: Finding[]): Verdict {
  const failure = findings.find(({ level }) => level === 'failure');
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (node.state === 'failed') return { tone: 'bad', words: 'Failed', sentence: failure?.text ?? '' };
  if (node.state === 'aborted') return { tone: 'bad', words: 'Aborted', sentence: failure?.text ?? '' };
  if (node.state === 'lost') return { tone: 'bad', words: 'Contact lost', sentence: failure?.text ?? '' };
  if (node.state !== 'completed') return unfinished;
  const invalid = findings.find(({ level, isFault }) => level === 'failure' && isFault !== true);
  if (invalid) return { tone: 'bad', words: 'Completed, but not valid', sentence: invalid.text };
  if (failure) return { tone: 'bad', words: 'Completed, a check failed', sentence: failure.text };
  if (warnings > 0) {
    return {
      tone: 'warn',
      words: 'Completed with warnings',
      sentence: `Everything planned was measured; ${printCount(warnings, 'warning')} below.`,
    };
  }
  return {
    tone: 'good',
    words: 'Completed',
    sentence: `Everything planned was measured; ${nothingOr(findings)}.`,
  };
}

/** The verdict of a job: its state in words, but never "Completed" if there are failures or warnings. */
export function jobVerdict({ job, nodes }: JobReport, findings: Finding[]): Verdict {
  const failures = findings.filter(({ level }) => level === 'failure').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const done = nodes.filter(({ state }) => state === 'completed').length;
  const delivered = `${done} of ${printCount(job.nodeCount, 'expected node')} delivered`;
  if (job.state === 'failed') return { tone: 'bad', words: 'Failed', sentence: `${delivered}.` };
  if (job.state === 'aborted')
    return { tone: 'bad', words: 'Aborted', sentence: `${delivered} before the job was aborted.` };
  if (job.state === 'completed' && failures === 0 && warnings === 0) {
    return { tone: 'good', words: 'Completed', sentence: `${delivered}; ${nothingOr(findings)}.` };
  }
  if (job.state === 'completed' || job.state === 'completed_with_warnings') {
    const counts = [
      failures > 0 ? printCount(failures, 'failure') : '',
      warnings > 0 ? printCount(warnings, 'warning') : '',
    ];
    const named = counts.filter(Boolean).join(' and ') || 'see the warnings';
    return { tone: 'warn', words: 'Completed with warnings', sentence: `${delivered}; ${named} below.` };
  }
  return unfinished;
}

/** For a good verdict, whose findings can only be notes. */
const nothingOr = (notes: Finding[]): string =>
  notes.length > 0 ? `no exception or warning, ${printCount(notes.length, 'note')} below` : 'no exception, no warning';

const unfinished: Verdict = {
  tone: 'open',
  words: 'Not finished',
  sentence: 'This report was made before the run ended; a newer one replaces it.',
};
